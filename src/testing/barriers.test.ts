import { expect, test } from "vitest";
import { Gates } from "./barriers.ts";

const never = new AbortController().signal;

/** Starts waiters and records the order in which they pass. */
function walkers(gates: Gates) {
  const passed: string[] = [];
  const walk = async (who: string, signal = never) => {
    await gates.wait("g", signal);
    passed.push(who);
  };
  return { passed, walk };
}

test("a release lets the longest waiter pass, or else the next one to arrive", async () => {
  const gates = new Gates();
  const { passed, walk } = walkers(gates);
  const first = walk("first");
  const second = walk("second");
  await gates.reached("g");
  gates.release("g");
  await first;
  expect(passed).toEqual(["first"]);
  gates.release("g");
  gates.release("g");
  await second;
  await walk("late");
  expect(passed).toEqual(["first", "second", "late"]);
});

test("an aborted waiter uses up no release", async () => {
  const gates = new Gates();
  const { passed, walk } = walkers(gates);
  const leave = new AbortController();
  const leaver = walk("leaver", leave.signal);
  const stayer = walk("stayer");
  leave.abort();
  await leaver;
  gates.release("g");
  await stayer;
  await walk("too late", leave.signal);
  expect(passed).toEqual(["leaver", "stayer", "too late"]);
  const waiting = gates.reached("g");
  const next = walk("next");
  await waiting;
  gates.release("g");
  await next;
});
