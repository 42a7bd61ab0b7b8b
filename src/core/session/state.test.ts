import { describe, expect, test } from "vitest";
import { errorInfo, ReinsError } from "../../events/errors.ts";
import type { ErrorInfo } from "../../events/errors.ts";
import { fakeHolder, fakeRules, freshState } from "../../../test/support/session-state.ts";
import type { Effect, Input, Rules } from "./inputs.ts";
import { reduce } from "./reducer.ts";
import { isStopped, waitsForReaders } from "./state.ts";
import type { SessionState } from "./state.ts";
import { TurnHandle } from "./turn-handle.ts";

const hung = errorInfo(new ReinsError("agent_hung", "It said nothing."));
const spent = errorInfo(new ReinsError("budget_exceeded", "The budget is spent."));

/** A session that takes inputs one after the other. */
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
  test("is sent once, and anew to each agent that it is given to", () => {
    const { take, did, state } = driven(goesOn);
    expect(take(prompt(), begun).turn?.phase).toBe("starting");
    take(opened());
    expect([state().turn?.phase, did("agent.prompt")]).toEqual(["running", 1]);
    take({ type: "snapshot.done", id: 0 }, { type: "switch.end" });
    expect(did("agent.prompt")).toBe(1);
    expect(take(fails).turn?.phase).toBe("switching");
    expect([take(found).turn, did("agent.prompt")]).toMatchObject([{ phase: "running", attempt: 2 }, 2]);
  });

  test("that the agent began runs from the start", () => {
    const { take, did } = driven();
    expect(take({ type: "agent.turn", turn: "a" }).turn).toMatchObject({ phase: "running", origin: "agent" });
    expect(did("agent.prompt")).toBe(0);
  });

  test.each<[string, readonly Input[]]>([
    ["was cancelled", [{ type: "cancel" }]],
    ["goes to another agent", [{ type: "handoff.start", turn: "t" }]],
    ["is being finished", [{ type: "budget.exceeded", error: spent, agentDone: false }]],
    ["waits for a switch", [{ type: "switch.start" }]],
  ])("that %s is not sent", (_, inputs) => {
    const { take, did } = driven();
    take(prompt(), begun, ...inputs, opened());
    expect(did("agent.prompt")).toBe(0);
  });

  test("that is being finished goes nowhere", () => {
    const { take, did } = driven(goesOn);
    take(prompt(), begun, opened(), fails, { type: "cancel" }, found, fails);
    expect([take(found).turn, did("agent.prompt")]).toMatchObject([{ phase: "finishing", attempt: 1 }, 1]);
  });

  test("that was stopped for an error goes on with the agent that is found, one that was cancelled with none", () => {
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

  test("that is finished is not looked further for; what follows it goes on until it is over its budget", () => {
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

  test.each([true, false])(
    "that is left when the session closes is not looked further for (remote: %s)",
    (elsewhere) => {
      const { take, did, state } = driven(goesOn, freshState({ holder: fakeHolder("puppet", { elsewhere }) }));
      take(prompt(), begun, opened(), fails, { type: "close" });
      // A remote agent goes on where it is: its turn is not cancelled.
      expect([did("switch.abort"), did("after.abort"), state().turn?.stop]).toEqual([
        1,
        1,
        elsewhere ? undefined : { by: "cancel" },
      ]);
    },
  );
});

test("a session waits for nobody in a turn that is stopped, nor when it closes", () => {
  const { take } = driven();
  expect(waitsForReaders(take(prompt(), begun, opened()))).toBe(true);
  expect(waitsForReaders(take({ type: "cancel" }))).toBe(false);
  take({ type: "agent.event", event: { type: "turn.ended", outcome: "cancelled" } });
  const over = take({ type: "finish.done", turn: "t", nextId: "n" });
  expect([over.turn, waitsForReaders(over)]).toEqual([undefined, true]);
  expect(waitsForReaders(take({ type: "close" }))).toBe(false);
});
