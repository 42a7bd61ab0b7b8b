import { expect, test } from "vitest";
import { Turns } from "./translate-turns.ts";

const done = { type: "turn.ended", outcome: "done" } as const;
const cancelled = { type: "turn.ended", outcome: "cancelled" } as const;
const crashed = { type: "turn.ended", outcome: "failed" } as const;

function begun(turns: Turns, id: string): void {
  turns.sent(id);
  turns.lifecycle(id, "queued");
  turns.lifecycle(id, "started");
  turns.introduced();
}

test("ends the turn at a result", () => {
  const turns = new Turns();
  expect(turns.running).toBe(false);
  begun(turns, "a");
  expect(turns.running).toBe(true);
  expect(turns.result(done)).toEqual([done]);
  expect(turns.running).toBe(false);
  expect(turns.lifecycle("a", "completed")).toEqual([]);
});

test("ends a turn with each result of a program that reports nothing about messages", () => {
  const turns = new Turns();
  turns.sent("a");
  turns.introduced();
  expect(turns.result(done)).toEqual([done]);
  expect(turns.running).toBe(false);
});

test("keeps steering handled after the answer in the turn, with the usage of the last result", () => {
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

test("ignores steering that was merged into the running work", () => {
  const turns = new Turns();
  begun(turns, "a");
  turns.sent("b");
  turns.lifecycle("b", "started");
  turns.lifecycle("b", "completed");
  expect(turns.result(done)).toEqual([done]);
});

test("ends the turn of a prompt that is withdrawn before it begins, without a result", () => {
  const turns = new Turns();
  turns.sent("a");
  turns.lifecycle("a", "queued");
  expect(turns.lifecycle("a", "cancelled")).toEqual([cancelled]);
  expect(turns.running).toBe(false);
});

test("waits for the turn's own result when steering is withdrawn with it", () => {
  const turns = new Turns();
  begun(turns, "a");
  turns.sent("b");
  expect(turns.lifecycle("b", "cancelled")).toEqual([]);
  expect(turns.result(cancelled)).toEqual([cancelled]);
});

test("ends the turn when steering is withdrawn after the answer, with the answer's usage", () => {
  const turns = new Turns();
  begun(turns, "a");
  turns.sent("b");
  expect(turns.result({ ...done, usage: { input: 1, output: 2 } })).toEqual([]);
  expect(turns.lifecycle("b", "cancelled")).toEqual([{ ...cancelled, usage: { input: 1, output: 2 } }]);
});

test("joins a prompt and a report that the agent started into one turn", () => {
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

test("ignores messages that others sent", () => {
  const turns = new Turns();
  expect(turns.lifecycle("stranger", "cancelled")).toEqual([]);
  expect(turns.lifecycle(7, "started")).toEqual([]);
  expect(turns.running).toBe(false);
});

test("ends what is open when the process ends", () => {
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
