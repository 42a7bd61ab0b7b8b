/** A failure of the model's service becomes a code, a sentence and a next step; text is never doubled. */
import { expect, test } from "vitest";
import type { ErrorCode } from "../../../src/events/errors.ts";
import { scenarioPrompt } from "../../../src/testing/index.ts";
import { all, messages } from "../support/events.ts";
import { realAgent } from "../support/real-agent.ts";

const failures: readonly (readonly [string, ErrorCode, number])[] = [
  ["error-400", "invalid_input", 0],
  ["error-401", "not_authenticated", 0],
  ["error-403", "not_authenticated", 0],
  ["error-404", "model_unknown", 0],
  ["error-429", "rate_limited", 2],
  ["error-500", "overloaded", 2],
  ["credit", "quota_exhausted", 0],
];

test("maps each failure to its code, and the session continues", async () => {
  const real = await realAgent("pi");
  const session = await real.session();
  for (const [scenario, code, retries] of failures) {
    const { result, events } = await real.turn(session, scenarioPrompt(scenario));
    expect({ scenario, ...result }).toMatchObject({
      scenario,
      outcome: "failed",
      text: "",
      error: { code, agent: "pi", message: expect.stringMatching(/^(?!\d{3})[^{}]+$/) as string },
    });
    const attempts = all(events, "agent.retrying").map(({ ofMax, error }) => [ofMax, error.code]);
    expect([scenario, attempts]).toEqual([scenario, Array<unknown>(retries).fill([2, code])]);
  }
  expect((await real.turn(session, scenarioPrompt("text"))).result.outcome).toBe("done");
});

test("reports its own retries, and discards the partial text", async () => {
  const real = await realAgent("pi");
  const session = await real.session();
  const twice = await real.turn(session, scenarioPrompt("error-500-twice"));
  expect(twice.result).toMatchObject({ outcome: "done", text: "It worked in the end." });
  expect(all(twice.events, "turn.phase").map(({ phase }) => phase)).toContain("retry");
  for (const scenario of ["cut-once", "mid-error-once"]) {
    const { result, events } = await real.turn(session, scenarioPrompt(scenario));
    expect([scenario, result.outcome, messages(events)]).toEqual([scenario, "done", ["A whole answer."]]);
    expect([scenario, all(events, "message.discarded").length]).toEqual([scenario, 1]);
  }
  const cut = await real.turn(session, scenarioPrompt("cut"));
  expect(cut.result).toMatchObject({ outcome: "failed", error: { code: "network" } });
  expect(messages(cut.events)).toEqual(["Half an ans"]);
});

test("reports a refusal, an empty answer and an answer over the limit", async () => {
  const real = await realAgent("pi");
  const session = await real.session();
  expect((await real.turn(session, scenarioPrompt("refusal"))).result).toMatchObject({
    outcome: "refused",
    error: { code: "refused" },
  });
  expect((await real.turn(session, scenarioPrompt("empty"))).result).toMatchObject({ outcome: "done", text: "" });
  expect((await real.turn(session, scenarioPrompt("max-tokens"))).result.outcome).toBe("max_tokens");
});
