import { describe, expect, test } from "vitest";
import { errorInfo, ReinsError } from "../events/errors.ts";
import { CurrentTurn, SessionState } from "./states.ts";

const prompted = () => new CurrentTurn("t", { input: { text: "x" }, handles: new Set() });
const hung = errorInfo(new ReinsError("agent_hung", "It said nothing."));
const spent = errorInfo(new ReinsError("budget_exceeded", "The budget is spent."));

describe("a turn", () => {
  test("is told once, and anew by each agent that it is given to", () => {
    const turn = prompted();
    const first = turn.attempt;
    expect([turn.phase, turn.tell(first), turn.phase, turn.tell(first)]).toEqual(["untold", true, "told", false]);
    turn.seek();
    turn.found();
    expect([turn.phase, turn.tell(first), turn.tell(turn.attempt), turn.phase]).toEqual([
      "untold",
      false,
      true,
      "told",
    ]);
  });

  test("that the agent began is told already", () => {
    const turn = new CurrentTurn("t");
    expect([turn.phase, turn.isPrompted]).toEqual(["told", false]);
  });

  test.each([
    ["was cancelled", (turn: CurrentTurn) => turn.cancel()],
    ["moves", (turn: CurrentTurn) => void turn.seek()],
    ["ends", (turn: CurrentTurn) => turn.end()],
  ])("that %s is not told", (_, move) => {
    const turn = prompted();
    move(turn);
    expect(turn.tell(turn.attempt)).toBe(false);
  });

  test("that ends moves no more", () => {
    const turn = prompted();
    turn.seek();
    turn.end();
    turn.seek();
    expect([turn.found(), turn.tell(turn.attempt), turn.phase, turn.attempt]).toEqual([false, false, "ending", 1]);
  });

  test("that was given up is wanted again by whoever is found, one that was cancelled by nobody", () => {
    const turn = prompted();
    turn.giveUp(hung);
    expect([turn.isWanted, turn.givenUp]).toEqual([false, hung]);
    turn.seek();
    turn.found();
    expect([turn.isWanted, turn.givenUp]).toEqual([true, undefined]);
    turn.cancel();
    turn.giveUp(hung);
    turn.seek();
    turn.found();
    expect([turn.isWanted, turn.isCancelled, turn.givenUp]).toEqual([false, true, undefined]);
  });

  test("that ends or is left seeks nobody; what follows it goes on until it is unwanted", () => {
    const ended = prompted();
    const search = ended.seek();
    ended.end();
    expect([search.aborted, ended.following.aborted]).toEqual([true, false]);
    ended.overspend(spent);
    ended.overspend(hung);
    expect([ended.following.reason, ended.spent]).toEqual(["budget", spent]);
    const left = prompted();
    const another = left.seek();
    left.abandon();
    expect([another.aborted, left.following.aborted, left.isCancelled]).toEqual([true, true, false]);
  });
});

test("a session waits for nobody in a turn that is unwanted, nor when it closes", () => {
  const state = new SessionState();
  const turn = prompted();
  state.begin(turn);
  expect(state.isGivenUp).toBe(false);
  turn.cancel();
  expect(state.isGivenUp).toBe(true);
  state.over();
  expect([state.turn, state.isGivenUp]).toEqual([undefined, false]);
  state.close();
  expect([state.isClosing, state.closing.aborted, state.isGivenUp]).toEqual([true, true, true]);
});
