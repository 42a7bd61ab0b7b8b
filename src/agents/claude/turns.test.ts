import { expect, test } from "vitest";
import { Turns } from "./translate-turns.ts";

const done = { type: "turn.ended", outcome: "done" } as const;
const cancelled = { type: "turn.ended", outcome: "cancelled" } as const;
const crashed = { type: "turn.ended", outcome: "failed" } as const;

/** A message that was sent and begun. */
function begun(turns: Turns, id: string): void {
  turns.sent(id);
  turns.lifecycle(id, "queued");
  turns.lifecycle(id, "started");
  turns.introduced();
}

test("a result ends the turn", () => {
  const turns = new Turns();
  expect(turns.running).toBe(false);
  begun(turns, "a");
  expect(turns.running).toBe(true);
  expect(turns.result(done)).toEqual([done]);
  expect(turns.running).toBe(false);
  expect(turns.lifecycle("a", "completed")).toEqual([]);
});

test("a program that tells nothing about messages ends a turn with each result", () => {
  const turns = new Turns();
  turns.sent("a");
  turns.introduced();
  expect(turns.result(done)).toEqual([done]);
  expect(turns.running).toBe(false);
});

test("steering that is worked off after the answer is part of the turn, and the last amounts are those of all", () => {
  const turns = new Turns();
  begun(turns, "a");
  turns.sent("b");
  turns.lifecycle("b", "queued");
  expect(turns.result({ ...done, usage: { input: 1, output: 2, cacheRead: 3 }, costUsd: 0.5 })).toEqual([]);
  expect(turns.running).toBe(true);
  turns.lifecycle("b", "started");
  turns.introduced();
  const whole = turns.result({
    ...done,
    usage: { input: 11, output: 22, cacheRead: 3, thought: 5 },
    costUsd: 0.75,
    background: ["t"],
  });
  expect(whole).toEqual([
    {
      ...done,
      usage: { input: 11, output: 22, cacheRead: 3, thought: 5 },
      costUsd: 0.75,
      background: ["t"],
    },
  ]);
});

test("steering that was folded in changes nothing", () => {
  const turns = new Turns();
  begun(turns, "a");
  turns.sent("b");
  turns.lifecycle("b", "started");
  turns.lifecycle("b", "completed");
  expect(turns.result(done)).toEqual([done]);
});

test("a prompt that is withdrawn before it begins gets no result, and the turn ends all the same", () => {
  const turns = new Turns();
  turns.sent("a");
  turns.lifecycle("a", "queued");
  expect(turns.lifecycle("a", "cancelled")).toEqual([cancelled]);
  expect(turns.running).toBe(false);
});

test("steering that is withdrawn with the turn waits for the turn's own result", () => {
  const turns = new Turns();
  begun(turns, "a");
  turns.sent("b");
  expect(turns.lifecycle("b", "cancelled")).toEqual([]);
  expect(turns.result(cancelled)).toEqual([cancelled]);
});

test("steering that is withdrawn after the answer ends the turn, with what the answer used", () => {
  const turns = new Turns();
  begun(turns, "a");
  turns.sent("b");
  expect(turns.result({ ...done, usage: { input: 1, output: 2 } })).toEqual([]);
  expect(turns.lifecycle("b", "cancelled")).toEqual([{ ...cancelled, usage: { input: 1, output: 2 } }]);
});

test("a prompt that comes while the agent reports by itself is one turn with the report", () => {
  const turns = new Turns();
  begun(turns, "a");
  turns.result(done);
  turns.introduced();
  expect(turns.running).toBe(true);
  turns.sent("b");
  turns.lifecycle("b", "queued");
  expect(turns.result(done)).toEqual([]);
  turns.lifecycle("b", "started");
  turns.introduced();
  expect(turns.result(done)).toEqual([{ ...done, usage: undefined, costUsd: undefined }]);
});

test("what others sent is not ours", () => {
  const turns = new Turns();
  expect(turns.lifecycle("stranger", "cancelled")).toEqual([]);
  expect(turns.lifecycle(7, "started")).toEqual([]);
  expect(turns.running).toBe(false);
});

test("the end of the process ends what was open", () => {
  const idle = new Turns();
  expect(idle.exited(undefined, () => crashed)).toEqual([]);
  const waiting = new Turns();
  waiting.sent("a");
  expect(waiting.exited(undefined, () => crashed)).toEqual([crashed]);
  expect(waiting.running).toBe(false);
  const said = new Turns();
  begun(said, "a");
  said.sent("b");
  said.result({ ...done, costUsd: 1 });
  expect(said.exited(crashed, () => done)).toEqual([{ ...crashed, usage: undefined, costUsd: 1 }]);
});
