import { describe, expect, test } from "vitest";
import { errorInfo, ReinsError, type ErrorInfo } from "../../events/errors.ts";
import { fakeActive, fakeRules, freshState } from "../../../test/support/session-state.ts";
import type { Effect, Input, Rules } from "./inputs.ts";
import { reduce } from "./reducer.ts";
import { isStopped, waitsForReaders, type SessionState } from "./state.ts";
import { TurnHandle } from "./turn-handle.ts";

const hung = errorInfo(new ReinsError("agent_hung", "It said nothing."));
const spent = errorInfo(new ReinsError("budget_exceeded", "The budget is spent."));

/** A session that takes inputs one by one. */
function driven(rules: Partial<Rules> = {}, state = freshState()) {
  const effects: Effect[] = [];
  const take = (...inputs: readonly Input[]): SessionState => {
    for (const input of inputs) {
      const [next, made] = reduce(state, input, fakeRules(rules));
      state = next;
      effects.push(...made);
    }
    return state;
  };
  const did = (what: Effect["do"]) => effects.filter((effect) => effect.do === what).length;
  return { take, did, effects, state: () => state };
}

const opened = (leg = 1): Input => ({ type: "agent.opened", leg, resumed: false, startsAhead: false, steers: true });
const prompt = (handle = new TurnHandle("t")): Input => ({
  type: "prompt",
  prompt: { handle, input: { text: "x" }, whenBusy: "reject" },
});
const begun: Input = { type: "turn.begun", turn: "t", error: undefined };
const fails: Input = { type: "agent.event", event: { type: "turn.ended", outcome: "failed", error: hung } };
const found: Input = { type: "switch.done", turn: "t", result: "switched" };
const silent: Input = { type: "silence", seconds: 1, hung: true };
const overspends = (error: ErrorInfo): Input => ({ type: "budget.exceeded", error, agentDone: false });
const goesOn: Partial<Rules> = { afterFailure: () => ({ goesOn: true }) };

describe("a turn", () => {
  test("is sent once, and again to each agent that takes it over", () => {
    const { take, did, state } = driven(goesOn);
    expect(take(prompt(), begun).turn?.phase).toBe("starting");
    take(opened());
    expect([state().turn?.phase, did("agent.prompt")]).toEqual(["running", 1]);
    take({ type: "snapshot.done", id: 0 }, { type: "switch.end" });
    expect(did("agent.prompt")).toBe(1);
    expect(take(fails).turn?.phase).toBe("switching");
    expect([take(found).turn, did("agent.prompt")]).toMatchObject([{ phase: "running", attempt: 2 }, 2]);
  });

  test("is running at once when the agent started it", () => {
    const { take, did } = driven();
    expect(take({ type: "agent.turn", turn: "a" }).turn).toMatchObject({ phase: "running", origin: "agent" });
    expect(did("agent.prompt")).toBe(0);
  });

  test.each<[string, readonly Input[]]>([
    ["was cancelled", [{ type: "cancel" }]],
    ["is handed to another agent", [{ type: "handoff.start", turn: "t" }]],
    ["is finishing", [{ type: "budget.exceeded", error: spent, agentDone: false }]],
    ["waits for a switch", [{ type: "switch.start" }]],
  ])("that %s is not sent", (_, inputs) => {
    const { take, did } = driven();
    take(prompt(), begun, ...inputs, opened());
    expect(did("agent.prompt")).toBe(0);
  });

  test("that is finishing does not change any more", () => {
    const { take, did } = driven(goesOn);
    take(prompt(), begun, opened(), fails, { type: "cancel" }, found, fails);
    expect([take(found).turn, did("agent.prompt")]).toMatchObject([{ phase: "finishing", attempt: 1 }, 1]);
  });

  test("stopped by an error continues with the next agent, a cancelled one with none", () => {
    const { take, state } = driven(goesOn);
    take(prompt(), begun, opened(), silent);
    expect([isStopped(state()), state().turn?.stop]).toEqual([true, { by: "error", error: expect.anything() }]);
    take({ type: "agent.exited", leg: 1, last: { turn: "t", attempt: 1 }, error: undefined }, found);
    expect([isStopped(state()), state().turn?.stop]).toEqual([false, undefined]);
    take({ type: "cancel" }, silent, fails);
    expect(state().turn).toMatchObject({
      phase: "finishing",
      stop: { by: "cancel" },
      ending: { outcome: "cancelled" },
    });
  });

  test("that is finishing ends the search for an agent; its after-steps run until the budget is spent", () => {
    const { take, did, effects, state } = driven({ followsTurns: true });
    take(prompt(), begun, opened(), { type: "agent.event", event: { type: "turn.ended", outcome: "done" } });
    expect([did("switch.abort"), did("after.abort")]).toEqual([1, 0]);
    take(overspends(spent), overspends(hung));
    expect(effects.filter((effect) => effect.do === "after.abort")).toMatchObject([
      { reason: "budget" },
      { reason: "budget" },
    ]);
    expect(state().turn?.spent).toEqual(spent);
  });

  test.each([true, false])("open when the session closes ends the search for an agent (remote: %s)", (elsewhere) => {
    const { take, did, state } = driven(goesOn, freshState({ active: fakeActive("puppet", { elsewhere }) }));
    take(prompt(), begun, opened(), fails, { type: "close" });
    // A remote agent continues, so its turn is not cancelled.
    expect([did("switch.abort"), did("after.abort"), state().turn?.stop]).toEqual([
      1,
      1,
      elsewhere ? undefined : { by: "cancel" },
    ]);
  });
});

const later = (handle: TurnHandle, whenBusy: "queue" | "steer"): Input => ({
  type: "prompt",
  prompt: { handle, input: { text: "y" }, whenBusy },
});
const ends: Input = { type: "agent.event", event: { type: "turn.ended", outcome: "done" } };
const refused = new ReinsError("unsupported", "Not now.");

test.each<[string, Input]>([
  ["another leg was opened", opened(7)],
  ["another leg could not be opened", { type: "agent.open_failed", leg: 7, error: hung }],
  ["another leg was retired", { type: "agent.retired", leg: 7, state: "s" }],
  ["another turn was switched", { type: "switch.done", turn: "other", result: "none" }],
  ["another turn is handed off", { type: "handoff.start", turn: "other" }],
  ["the agent of another turn has left", { type: "handoff.left", turn: "other" }],
  ["another turn is finished", { type: "finish.done", turn: "other", nextId: "n" }],
  ["another turn is over its budget", { type: "turn.begun", turn: "other", error: spent }],
  ["the prompt of an earlier attempt failed", { type: "prompt.failed", turn: "t", attempt: 0, error: hung }],
  ["the agent begins a turn while one runs", { type: "agent.turn", turn: "a" }],
  ["the session may sleep while a turn runs", { type: "sleep", state: "s" }],
  ["another snapshot was taken", { type: "snapshot.done", id: 9 }],
  ["a callback failed for an unknown request", { type: "ask.failed", requestId: "x", message: "No." }],
  ["an unknown steer was confirmed", { type: "steer.done", handle: new TurnHandle("x") }],
  ["an unknown steer failed", { type: "steer.failed", handle: new TurnHandle("x"), error: refused }],
  ["the agent is opened a second time", { type: "open" }],
])("ignores that %s", (_, input) => {
  const { take, effects, state } = driven();
  take(prompt(), begun, opened());
  const [before, count] = [state(), effects.length];
  take(input);
  expect([state(), effects.slice(count)]).toEqual([before, []]);
});

test.each<[string, Input]>([
  ["a cancel", { type: "cancel" }],
  ["a spent budget", overspends(spent)],
  ["silence", silent],
  ["an end reported twice", { type: "agent.event", event: { type: "turn.ended", outcome: "failed" } }],
])("between turns %s stops nothing", (_, input) => {
  const { take, effects, state } = driven();
  take({ type: "open" }, opened());
  const [before, count] = [state(), effects.length];
  take(input);
  expect([state(), effects.slice(count)]).toEqual([before, []]);
});

test("ignores the old agent's end while the turn is being switched", () => {
  const { take, did } = driven(goesOn);
  take(prompt(), begun, opened(), fails);
  expect([take(fails, ends).turn?.phase, did("finish"), did("switch_agent")]).toEqual(["switching", 0, 1]);
  take({ type: "switch.done", turn: "t", result: "failed", error: spent });
  expect([take().turn, did("finish")]).toMatchObject([{ phase: "finishing", ending: { error: spent } }, 1]);
});

test("fails at once when an agent hangs on open, and cancels an agent's turn over budget", () => {
  const opening = driven();
  const { turn } = opening.take(prompt(), begun, silent);
  expect(turn).toMatchObject({ phase: "finishing", ending: { outcome: "failed", error: { code: "agent_hung" } } });
  const own = driven();
  own.take({ type: "open" }, opened(), { type: "agent.turn", turn: "a" });
  own.take({ type: "turn.begun", turn: "a", error: spent });
  expect([own.state().turn?.stop, own.did("agent.cancel")]).toMatchObject([{ by: "budget", error: spent }, 1]);
});

test("a failed prompt after a cancel ends as cancelled, and a closing session accepts none", () => {
  const { take, did } = driven();
  take(prompt(), begun, opened(), { type: "cancel" });
  take({ type: "prompt.failed", turn: "t", attempt: 1, error: hung });
  expect(take().turn?.ending?.outcome).toBe("cancelled");
  take({ type: "close" }, prompt(new TurnHandle("late")));
  expect(did("refuse")).toBe(1);
});

test.each([
  [true, "The turn accepts no prompt now; the prompt is queued."],
  [false, "Puppet accepts no prompt during a turn; the prompt is queued."],
])("queues a prompt that cannot be added to the turn, with a notice (agent can steer: %s)", (steer, message) => {
  const { take, effects } = driven({}, freshState({ active: fakeActive("puppet", { steer }) }));
  const { queue } = take(prompt(), begun, later(new TurnHandle("u"), "steer"));
  expect(queue.map(({ handle }) => handle.id)).toEqual(["u"]);
  expect(effects).toContainEqual({ do: "emit", event: expect.objectContaining({ type: "notice", message }) });
});

test("a steered prompt shares the result once the agent has confirmed it", () => {
  const { take, effects } = driven();
  const added = new TurnHandle("u");
  take(prompt(), begun, opened(), later(added, "steer"), ends, { type: "finish.done", turn: "t", nextId: "n" });
  const settled = () => effects.flatMap((effect) => (effect.do === "settle" ? [effect.handle.id] : []));
  expect(settled()).toEqual(["t"]);
  take({ type: "steer.done", handle: added });
  expect(settled()).toEqual(["t", "u"]);
  expect(effects.at(-1)).toEqual({ do: "result.forget", turn: "t" });
});

test("does not wait for readers in a stopped turn or a closing session", () => {
  const { take } = driven();
  expect(waitsForReaders(take(prompt(), begun, opened()))).toBe(true);
  expect(waitsForReaders(take({ type: "cancel" }))).toBe(false);
  take({ type: "agent.event", event: { type: "turn.ended", outcome: "cancelled" } });
  const over = take({ type: "finish.done", turn: "t", nextId: "n" });
  expect([over.turn, waitsForReaders(over)]).toEqual([undefined, true]);
  expect(waitsForReaders(take({ type: "close" }))).toBe(false);
});
