/** A program too old for ACP: one process a prompt. */
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scenarioPrompt } from "../../../src/testing/index.ts";
import { expectLawful } from "../../support/lawful.ts";
import { all } from "../support/events.ts";
import { realAgent } from "../support/real-agent.ts";
import { lastAsked } from "./support/requests.ts";
import { noticesIn, turnOf } from "./support/turns.ts";

test("texts, edits, going on, changing the mode, calling off, failing", async () => {
  const real = await realAgent("gemini");
  const old = join(real.home, "old-gemini");
  const refusal =
    "case \" $* \" in *' --acp '*) echo 'Unknown arguments: acp, admin-policy, adminPolicy' >&2; exit 1;; esac";
  writeFileSync(old, `#!/bin/sh\n${refusal}\nexec "${real.env["REINS_GEMINI_COMMAND"]!}" "$@"\n`);
  chmodSync(old, 0o755);
  const reins = real.another({ env: { ...real.env, REINS_GEMINI_COMMAND: old } });
  const session = await reins.session({ agent: "gemini", cwd: real.cwd, mode: "edits" });

  const first = await turnOf(session, scenarioPrompt("write", "x.txt"));
  expect(first.result).toMatchObject({ outcome: "done", filesChanged: ["x.txt"], usage: { input: 200, output: 40 } });
  expect(noticesIn(first.events)).toEqual([expect.stringContaining("too old to be asked")]);
  expect(all(first.events, "message.delta").length).toBeGreaterThan(1);

  await session.configure({ mode: "ask" });
  const asked = await turnOf(session, scenarioPrompt("write", "y.txt"));
  expect(all(asked.events, "tool.failed")).toMatchObject([{ reason: "denied" }]);
  expect(existsSync(join(real.cwd, "y.txt"))).toBe(false);
  expect(lastAsked(real.model).contents).toContain("scenario:write:x.txt");

  const slow = session.prompt(scenarioPrompt("slow-text"));
  for await (const event of slow) if (event.type === "message.delta") void slow.cancel();
  expect(await slow.result).toMatchObject({ outcome: "cancelled" });

  const failed = await turnOf(session, scenarioPrompt("bad-key"));
  expect(failed.result).toMatchObject({ outcome: "failed", error: { code: "not_authenticated" } });
  await session.close();

  const again = await reins.session({ agent: "gemini", cwd: real.cwd, mode: "full", resume: session.state });
  expect((await turnOf(again, scenarioPrompt("echo", "back"))).result.text).toBe("back");
  expect(lastAsked(real.model).contents).toContain("scenario:write:x.txt");
  await again.close();
  for (const each of [session, again]) {
    const events = [];
    for await (const event of each.events()) events.push(event);
    expectLawful(events);
  }
});
