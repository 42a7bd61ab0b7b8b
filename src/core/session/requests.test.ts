import { expect, test } from "vitest";
import { fakeActive, fakeRules, freshState } from "../../../test/support/session-state.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { ControlEvent, Effect, Input, Rules } from "./inputs.ts";
import { reduce } from "./reducer.ts";
import type { SessionState } from "./state.ts";

const call = { callId: "c", title: "T", input: {} } as const;
const asks: ControlEvent = { type: "permission.requested", requestId: "p", ...call, tool: "write", options: [] };
const question: ControlEvent = { type: "question.requested", requestId: "q", questions: [] };
const held: ControlEvent = { type: "tool.held", requestId: "h", ...call, tool: "shell", nativeName: "sh" };
const said = (event: ControlEvent): Input => ({ type: "agent.event", event });
const opens: readonly Input[] = [
  { type: "open" },
  { type: "agent.opened", leg: 1, resumed: false, startsAhead: false, steers: false },
  { type: "agent.turn", turn: "t" },
];

/** The state and effects after these inputs. */
function after(
  inputs: readonly Input[],
  rules: Partial<Rules> = {},
  active = fakeActive(),
): { state: SessionState; effects: Effect[] } {
  const effects: Effect[] = [];
  let state = freshState({ people: { attended: true }, active });
  for (const input of [...opens, ...inputs]) {
    const [next, made] = reduce(state, input, fakeRules(rules));
    state = next;
    effects.push(...made);
  }
  return { state, effects };
}
const answers = (effects: readonly Effect[]) =>
  effects.flatMap((effect) => (effect.do === "agent.answer" ? [effect.answer] : []));
const recorded = (effects: readonly Effect[], type: AgentEvent["type"]) =>
  effects.flatMap((effect) => (effect.do === "record" && effect.event.type === type ? [effect.event] : []));

test.each([
  ["is not answered in time", { type: "timer", id: "request:p" }, { outcome: "denied", by: "deadline" }, "deny"],
  ["has a callback that fails", { type: "ask.failed", requestId: "p", message: "No." }, { by: "policy" }, "deny"],
  ["is allowed", { type: "answer", requestId: "p", answer: { decision: "allow" } }, { by: "person" }, "allow"],
] as const)("resolves and answers a permission only once when it %s", (_, input, resolved, decision) => {
  const { state, effects } = after([said(asks), input, input, { type: "timer", id: "request:p" }]);
  expect(recorded(effects, "permission.resolved")).toMatchObject([resolved]);
  expect(answers(effects)).toMatchObject([{ decision }]);
  expect([state.requests.size, effects.filter((effect) => effect.do === "request.settled").length]).toEqual([0, 1]);
});

test.each([
  ["is not answered in time", { type: "timer", id: "request:q" }, "deadline"],
  ["has a callback that fails", { type: "ask.failed", requestId: "q", message: "No." }, "policy"],
] as const)("skips a question only once when it %s", (_, input, by) => {
  const { effects } = after([said(question), input, input]);
  expect(recorded(effects, "question.resolved")).toMatchObject([{ outcome: "skipped", by }]);
  expect(answers(effects)).toMatchObject([{ decision: "skip" }]);
});

test("a cancel resolves requests, answers held tools, and nothing else", () => {
  const rules: Partial<Rules> = {
    decide: (event, { turn }) => ({ decision: turn?.stop ? "deny" : event.type === "tool.held" ? "allow" : "ask" }),
  };
  const { effects } = after([said(asks), said(question), said(held), { type: "cancel" }], rules);
  expect(recorded(effects, "permission.resolved")).toMatchObject([
    { requestId: "p", outcome: "cancelled", by: "cancel" },
    { requestId: "h", outcome: "cancelled", by: "cancel" },
  ]);
  expect(recorded(effects, "question.resolved")).toMatchObject([{ outcome: "cancelled", by: "cancel" }]);
  expect(answers(effects)).toMatchObject([{ decision: "deny", cancelled: true }]);
});

test("answers a permission that waits for the snapshot as cancelled when the turn is cancelled", () => {
  const rules: Partial<Rules> = { decide: (_, { turn }) => ({ decision: turn?.stop ? "deny" : "allow" }) };
  const shell = { ...asks, tool: "shell" } as const;
  const { effects } = after([said(held), said(shell), { type: "cancel" }], rules);
  expect(answers(effects)).toMatchObject([
    { decision: "deny", cancelled: true },
    { decision: "deny", cancelled: true },
  ]);
});

test("answers a held tool whose turn ended and records nothing", () => {
  const rules: Partial<Rules> = { decide: () => ({ decision: "allow" }) };
  const ends: readonly Input[] = [
    said({ type: "turn.ended", outcome: "done" }),
    { type: "finish.done", turn: "t", nextId: "n" },
  ];
  const { effects } = after([said(held), ...ends, { type: "snapshot.done", id: 1 }], rules);
  expect(recorded(effects, "permission.requested")).toEqual([]);
  expect(answers(effects)).toEqual([{ decision: "allow" }]);
});

test("an unknown option selects none", () => {
  const answer = { decision: "allow", optionId: "missing" } as const;
  const { effects } = after([said(asks), { type: "answer", requestId: "p", answer }]);
  expect(answers(effects)).toMatchObject([{ decision: "allow", optionId: undefined }]);
});

test("does not run the old input when the agent cannot accept a changed one", () => {
  const active = fakeActive("puppet", { changedInput: false });
  const answer = { decision: "allow", changedInput: { path: "b.txt" } } as const;
  const { effects } = after([said(asks), { type: "answer", requestId: "p", answer }], {}, active);
  const message = "Puppet cannot run a tool with another input, so it did not run.";
  expect(recorded(effects, "permission.resolved")).toMatchObject([{ outcome: "denied", by: "policy", message }]);
  expect(answers(effects)).toMatchObject([{ decision: "deny", message }]);
});

test("runs the changed input when the request says it is changeable, whatever the capability", () => {
  const active = fakeActive("puppet", { changedInput: false });
  const answer = { decision: "allow", changedInput: { path: "b.txt" } } as const;
  const asked = said({ ...asks, inputChangeable: true });
  const { effects } = after([asked, { type: "answer", requestId: "p", answer }], {}, active);
  expect(answers(effects)).toMatchObject([answer]);
});

test("denies a changed input when the request says it is not changeable, whatever the capability", () => {
  const answer = { decision: "allow", changedInput: { path: "b.txt" } } as const;
  const asked = said({ ...asks, inputChangeable: false });
  const { effects } = after([asked, { type: "answer", requestId: "p", answer }]);
  expect(answers(effects)).toMatchObject([{ decision: "deny" }]);
});

test("answers a question that arrives during a cancel as cancelled", () => {
  const { effects } = after([{ type: "cancel" }, said(question)]);
  expect(answers(effects)).toMatchObject([{ decision: "skip", cancelled: true }]);
});

const connected: Input = { type: "presence", present: true };
const left: Input = { type: "presence", present: false };
const timers = (effects: readonly Effect[]) =>
  effects.flatMap((effect) =>
    effect.do === "timer.start" || effect.do === "timer.stop" ? [`${effect.do} ${effect.id}`] : [],
  );

test("a request has a deadline only while nobody is connected", () => {
  const alone = after([said(asks)]).effects;
  expect(recorded(alone, "permission.requested")).toMatchObject([{ deadline: "1970-01-01T00:00:01.000Z" }]);
  expect(timers(alone)).toEqual(["timer.start request:p"]);
  const attended = after([connected, said(asks), said(question)]).effects;
  for (const event of [...recorded(attended, "permission.requested"), ...recorded(attended, "question.requested")]) {
    expect(event).toMatchObject({ waits: true });
    expect(event).not.toHaveProperty("deadline");
  }
  expect(timers(attended)).toEqual([]);
});

test("reports several waiting requests in one notice when somebody leaves or returns", () => {
  const notices = (effects: readonly Effect[]): string[] =>
    effects.flatMap((effect) =>
      effect.do === "emit" && effect.event.type === "notice" && effect.event.code === "deadline"
        ? [effect.event.message]
        : [],
    );
  const { effects } = after([connected, said(asks), said(question), left, connected]);
  expect(notices(effects)).toEqual([
    expect.stringMatching(/^Nobody is connected: 2 requests wait for an answer, the first until 1970-01-01T00:00:01/),
    "A person is connected again: 2 requests wait without a deadline.",
  ]);
  expect(timers(effects)).toHaveLength(4);
});

test("starts the deadline when the last person leaves and stops it when one returns", () => {
  const gone = after([connected, said(asks), left, left]).effects;
  expect(timers(gone)).toEqual(["timer.start request:p"]);
  expect(gone).toContainEqual({
    do: "emit",
    event: expect.objectContaining({ code: "deadline", message: expect.stringContaining("1970-01-01T00:00:01") }),
  });
  const back = after([connected, said(asks), left, connected]);
  expect(timers(back.effects)).toEqual(["timer.start request:p", "timer.stop request:p"]);
  expect(back.state.requests.has("p")).toBe(true);
  const late = after([connected, said(asks), left, { type: "timer", id: "request:p" }]).effects;
  expect(recorded(late, "permission.resolved")).toMatchObject([{ outcome: "denied", by: "deadline" }]);
});
