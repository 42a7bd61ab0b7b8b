/** Failures of the model's service as error codes. One session runs all of them and still works. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scenarioPrompt } from "../../../src/testing/index.ts";
import { all } from "../support/events.ts";
import { realAgent } from "../support/real-agent.ts";

test("maps each failure to its code, and the next prompt works", async () => {
  const real = await realAgent("gemini");
  const file = join(real.home, ".gemini", "settings.json");
  // No retries, as in our own defaults.
  writeFileSync(file, readFileSync(file, "utf8").replace('"maxAttempts":2', '"maxAttempts":1'));
  const session = await real.session();
  const codes: Record<string, string> = {
    "error-400": "invalid_input",
    "error-401": "not_authenticated",
    "bad-key": "not_authenticated",
    "error-403": "not_authenticated",
    "error-404": "model_unknown",
    "error-429": "rate_limited",
    quota: "quota_exhausted",
    credit: "quota_exhausted",
    "error-500": "overloaded",
    "error-503": "overloaded",
    "prompt-too-long": "context_too_long",
    cut: "network",
    "mid-error": "overloaded",
  };
  for (const [scenario, code] of Object.entries(codes)) {
    const { result } = await real.turn(session, scenarioPrompt(scenario));
    expect([scenario, result.outcome, result.error?.code]).toEqual([scenario, "failed", code]);
    expect(result.error?.message).not.toMatch(/[{}\n]/);
    expect(result.error?.resetsAt !== undefined).toBe(scenario === "error-429");
  }
  // An empty answer ends a turn like any other.
  expect((await real.turn(session, scenarioPrompt("empty"))).result).toMatchObject({ outcome: "done", text: "" });
  const { result, events } = await real.turn(session, scenarioPrompt("thinking"));
  expect(result.text).toBe("I thought about it: 42.");
  expect(all(events, "thought.completed")).toMatchObject([{ text: expect.stringMatching(/^Let me think about/) }]);
  expect(result.usage).toEqual({ input: 100, output: 20 });
});
