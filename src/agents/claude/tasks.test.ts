import { expect, test } from "vitest";
import { Tasks } from "./translate-system.ts";

const start = (more: object = {}) => ({
  task_id: "t",
  tool_use_id: "c",
  description: "Work",
  task_type: "local_agent",
  ...more,
});

test("a task that was moved to the background goes on after the turn", () => {
  const tasks = new Tasks();
  tasks.started(start({ is_backgrounded: false }), undefined);
  expect(tasks.background).toEqual([]);
  expect(tasks.patched({ task_id: "t", patch: { is_backgrounded: true } })).toEqual([]);
  expect(tasks.background).toEqual(["t"]);
  expect(tasks.runs("c")).toBe(true);
});

test("what is listed as running in the background is, before it says so itself", () => {
  const tasks = new Tasks();
  tasks.listed({ tasks: [{ task_id: "t" }, 1] });
  tasks.started(start(), undefined);
  expect(tasks.background).toEqual(["t"]);
});

test("what is no longer listed and never said why was stopped", () => {
  const tasks = new Tasks();
  tasks.started(start({ is_backgrounded: true }), "p");
  expect(tasks.listed({ tasks: [] })).toEqual([
    { type: "task.updated", taskId: "t", callId: "c", status: "stopped", summary: undefined, parent: "p" },
  ]);
  expect(tasks.listed({ tasks: [] })).toEqual([]);
  expect(tasks.background).toEqual([]);
  expect(tasks.runs("c")).toBe(false);
});

test.each([
  ["killed", "stopped"],
  ["failed", "failed"],
  ["paused", "running"],
])("the status %s is %s", (status, expected) => {
  const tasks = new Tasks();
  tasks.started(start({ task_type: "other_kind" }), undefined);
  expect(tasks.patched({ task_id: "t", patch: { status: "odd" } })).toEqual([]);
  expect(tasks.patched({ task_id: "t", patch: { status } })).toMatchObject([{ status: expected, callId: "c" }]);
});

test("a notification ends the task, whatever it says", () => {
  const tasks = new Tasks();
  tasks.started(start(), undefined);
  expect(tasks.notified({ task_id: "t", status: "odd", summary: "Done." })).toMatchObject([
    { status: "completed", summary: "Done." },
  ]);
  expect(tasks.runs("c")).toBe(false);
});

test("a task without words is called by its id", () => {
  expect(new Tasks().started({ task_id: "t" }, undefined)).toMatchObject([
    { title: "t", kind: "other", callId: undefined },
  ]);
});

test("what does not say which task it is about says nothing", () => {
  const tasks = new Tasks();
  expect(
    [
      tasks.started({}, undefined),
      tasks.progressed({}),
      tasks.patched({}),
      tasks.notified({}),
      tasks.listed({}),
    ].flat(),
  ).toEqual([]);
});
