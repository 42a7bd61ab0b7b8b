/** A failure of the model's service becomes a code, a sentence and a next step; text is never doubled. */
import { expect, test } from "vitest";
import type { ErrorCode } from "../../../src/events/errors.ts";
import { scenarioPrompt } from "../../../src/testing/index.ts";
import { all, messages, one, whole } from "../support/events.ts";
import { realAgent } from "../support/real-agent.ts";
import { asked } from "./support/requests.ts";
import { withToken } from "./support/token.ts";

const failures: readonly (readonly [string, ErrorCode, number])[] = [
  ["error-400", "invalid_input", 0],
  ["error-401", "not_authenticated", 2],
  ["error-403", "not_authenticated", 0],
  ["error-404", "model_unknown", 0],
  ["error-429", "rate_limited", 2],
  ["error-500", "overloaded", 2],
  ["error-529", "overloaded", 2],
  ["credit", "quota_exhausted", 0],
  ["prompt-too-long", "context_too_long", 0],
];

test.each(failures)("%s: fails with %s after %i retries", async (scenario, code, expected) => {
  const real = await realAgent("claude");
  const session = await real.session();
  const { result, events } = await real.turn(session, scenarioPrompt(scenario));
  expect(result).toMatchObject({ outcome: "failed", text: "", error: { code, agent: "claude" } });
  expect(result.error!.message).not.toBe("");
  expect(messages(events)).toEqual([]);
  const retries = all(events, "agent.retrying");
  expect(retries.map((event) => event.attempt)).toEqual([1, 2].slice(0, expected));
  for (const retry of retries) expect(retry).toMatchObject({ error: { code }, ofMax: 2, delayMs: expect.any(Number) });
  expect((await real.turn(session, scenarioPrompt("text"))).result.outcome).toBe("done");
});

test.each([
  ["error-429-once", "rate_limited", 1],
  ["error-500-twice", "overloaded", 2],
] as const)("%s: retries visibly and succeeds", async (scenario, code, retries) => {
  const real = await realAgent("claude");
  const { result, events } = await real.turn(await real.session(), scenarioPrompt(scenario));
  expect(all(events, "agent.retrying").map((event) => event.error.code)).toEqual(Array(retries).fill(code));
  expect(all(events, "turn.phase").map((event) => event.phase)).toContain("retry");
  expect(result).toMatchObject({ outcome: "done", text: "It worked in the end." });
});

test("reports when the plan's usage window resets", async () => {
  const real = await realAgent("claude");
  const session = await real.session({}, real.another({ env: withToken(real.env) }));
  const { result, events } = await real.turn(session, scenarioPrompt("quota"));
  const limit = all(events, "limit.updated").find((event) => event.window === "five_hour")!;
  expect(limit).toMatchObject({ status: "reached", usedPercent: 100, resetsAt: expect.any(String) });
  expect(result).toMatchObject({ outcome: "failed", error: { code: "quota_exhausted", resetsAt: limit.resetsAt } });
  expect(asked(real.model)).toHaveLength(1);
  const inAnHour = Date.parse(limit.resetsAt!) - Date.now();
  expect(Math.abs(inAnHour - 3_600_000)).toBeLessThan(120_000);
});

test("does not wait an hour to retry", async () => {
  const real = await realAgent("claude");
  const { result, events } = await real.turn(await real.session(), scenarioPrompt("quota"));
  expect(result.error).toMatchObject({ code: "rate_limited" });
  expect(all(events, "agent.retrying")).toEqual([]);
});

test.each([
  ["limit-ok", "ok", 20],
  ["limit-warning", "warning", 93],
] as const)("%s: reports how much of the plan is used", async (scenario, status, usedPercent) => {
  const real = await realAgent("claude");
  const session = await real.session({}, real.another({ env: withToken(real.env) }));
  const { result, events } = await real.turn(session, scenarioPrompt(scenario));
  expect(result.outcome).toBe("done");
  expect(all(events, "limit.updated").find((event) => event.window === "five_hour")).toMatchObject({
    status,
    usedPercent,
  });
});

test("fails when no server listens at the address", async () => {
  const real = await realAgent("claude", { env: { ANTHROPIC_BASE_URL: "http://127.0.0.1:1" } });
  const { result, events } = await real.turn(await real.session(), scenarioPrompt("text"));
  expect(all(events, "agent.retrying").map((event) => event.error.code)).toEqual(["network", "network"]);
  expect(result).toMatchObject({ outcome: "failed", error: { code: "network", retryable: true } });
});

const trouble = { cut: { cut: { times: 1 } }, "error in the stream": { midError: { times: 1 } } } as const;

test.each(Object.entries(trouble))(
  "after one %s the partial text is discarded and the full text delivered once",
  async (_, act) => {
    const steps = [[{ say: "A whole ans" }, { gate: "broken" }, act, { say: "wer." }]];
    const real = await realAgent("claude", { scenarios: [{ name: "broken-once", steps }] });
    const session = await real.session();
    const turn = session.prompt(scenarioPrompt("broken-once"));
    await real.when(session, "message.delta");
    real.model.release("broken");
    real.model.release("broken");
    const { result, events } = await whole(turn);
    expect(result).toMatchObject({ outcome: "done", text: "A whole answer." });
    expect(messages(events)).toEqual(["A whole answer."]);
    const { messageId, reason } = one(events, "message.discarded");
    expect(reason).toBe("retry");
    expect(messageId).toBe(all(events, "message.delta")[0]!.messageId);
  },
);

test("fails with the reason when the connection always breaks mid-stream", async () => {
  const real = await realAgent("claude");
  const session = await real.session();
  const { result } = await real.turn(session, scenarioPrompt("cut"));
  expect(result).toMatchObject({ outcome: "failed", error: { code: "network", retryable: true } });
  expect((await real.turn(session, scenarioPrompt("text"))).result.outcome).toBe("done");
});

test("requests the whole answer at once when the stream always ends with an error", async () => {
  const real = await realAgent("claude");
  const { result, events } = await real.turn(await real.session(), scenarioPrompt("mid-error"));
  expect(result).toMatchObject({ outcome: "done", text: "Half an answer." });
  expect(messages(events)).toEqual(["Half an answer."]);
});
