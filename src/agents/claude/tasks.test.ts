import { expect, test } from "vitest";
import { Tasks } from "./translate-system.ts";

const start = (more: object = {}) => ({
  task_id: "t",
  tool_use_id: "c",
  description: "Work",
  task_type: "local_agent",
  ...more,
});

test("keeps a task that was moved to the background after the turn", () => {
  const tasks = new Tasks();
  tasks.started(start({ is_backgrounded: false }), undefined);
  expect(tasks.background).toEqual([]);
  expect(tasks.patched({ task_id: "t", patch: { is_backgrounded: true } })).toEqual([]);
  expect(tasks.background).toEqual(["t"]);
  expect(tasks.runs("c")).toBe(true);
});

test("treats a task as background work when the list says so, before its own report", () => {
  const tasks = new Tasks();
  tasks.listed({ tasks: [{ task_id: "t" }, 1] });
  tasks.started(start(), undefined);
  expect(tasks.background).toEqual(["t"]);
});

test("treats a task that is no longer listed, without a reason, as stopped", () => {
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
])("maps the status %s to %s", (status, expected) => {
  const tasks = new Tasks();
  tasks.started(start({ task_type: "other_kind" }), undefined);
  expect(tasks.patched({ task_id: "t", patch: { status: "odd" } })).toEqual([]);
  expect(tasks.patched({ task_id: "t", patch: { status } })).toMatchObject([{ status: expected, callId: "c" }]);
});

test("ends the task at a notification, whatever its text", () => {
  const tasks = new Tasks();
  tasks.started(start(), undefined);
  expect(tasks.notified({ task_id: "t", status: "odd", summary: "Done." })).toMatchObject([
    { status: "completed", summary: "Done." },
  ]);
  expect(tasks.runs("c")).toBe(false);
});

test("names a task without a description by its id", () => {
  expect(new Tasks().started({ task_id: "t" }, undefined)).toMatchObject([
    { title: "t", kind: "other", callId: undefined },
  ]);
});

test("ignores a message that names no task", () => {
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
