/** OpenCode waits and retries forever; Reins does not. */
import { expect, test } from "vitest";
import { scenarioPrompt } from "../../../src/testing/index.ts";
import { all } from "../support/events.ts";
import { realAgent } from "../support/real-agent.ts";

test("fails at once when waiting cannot help, and the session continues", { timeout: 240_000 }, async () => {
  const real = await realAgent("opencode");
  const session = await real.session();
  const quota = await real.turn(session, scenarioPrompt("quota"));
  expect(quota.result).toMatchObject({ outcome: "failed", error: { code: "quota_exhausted" } });
  expect(Date.parse(quota.result.error?.resetsAt ?? "")).toBeGreaterThan(Date.now());
  const credit = await real.turn(session, scenarioPrompt("credit"));
  expect(credit.result).toMatchObject({ outcome: "failed", error: { code: "quota_exhausted" } });
  const long = await real.turn(session, scenarioPrompt("prompt-too-long"));
  expect(long.result).toMatchObject({ outcome: "failed", error: { code: "context_too_long" } });
  // OpenCode may compact once more before it is told to stop, but not forever.
  expect([1, 2]).toContain(all(long.events, "context.compacted").length);
  const refused = await real.turn(session, scenarioPrompt("refusal"));
  expect(refused.result).toMatchObject({ outcome: "refused" });
  const cut = await real.turn(session, scenarioPrompt("max-tokens"));
  expect(cut.result).toMatchObject({ outcome: "max_tokens" });
  expect((await real.turn(session, scenarioPrompt("text"))).result.outcome).toBe("done");
});
