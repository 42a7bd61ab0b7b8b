/** The toy agent's permission requests and every way to answer them. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { PermissionReply, PermissionRequest } from "../../src/index.ts";
import { everything, turn, typesOf, withToy } from "../support/toy.ts";

async function ask(reply: PermissionReply | undefined, prompt = "write a.txt hello; say done", flags: string[] = []) {
  const toy = await withToy(flags);
  const asked: PermissionRequest[] = [];
  const session = await toy.session(
    reply === undefined
      ? {}
      : {
          onPermission: (request) => {
            asked.push(request);
            return reply;
          },
        },
  );
  const events = await turn(session, prompt);
  await everything(session);
  return { events, asked, file: join(toy.cwd, "a.txt") };
}

test("shows the whole request, and runs the tool once it is allowed", async () => {
  const { events, asked, file } = await ask("allow");
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({
    tool: "write",
    title: "Write a.txt",
    input: { file_path: file, content: "hello\n" },
    locations: [{ path: file }],
    diff: "--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,1 @@\n+hello\n",
    options: [
      { id: "yes", kind: "allow_once", label: "Yes", scope: "once" },
      { id: "ever", kind: "allow_always", label: "Always" },
      { id: "no", kind: "reject_once", label: "No", scope: "once" },
    ],
  });
  expect(typesOf(events).slice(2)).toEqual([
    ...["tool.started", "permission.requested", "permission.resolved", "tool.completed", "file.changed"],
    ...["message.delta", "message.completed", "turn.completed"],
  ]);
  expect(events.find(({ type }) => type === "permission.resolved")).toMatchObject({
    outcome: "allowed",
    optionId: "yes",
  });
  expect(events.at(-1)).toMatchObject({ outcome: "done", filesChanged: ["a.txt"] });
  expect(readFileSync(file, "utf8")).toBe("hello\n");
});

test('selects the agent\'s "always" option', async () => {
  const { events, file } = await ask("always");
  expect(events.find(({ type }) => type === "permission.resolved")).toMatchObject({
    outcome: "allowed",
    optionId: "ever",
  });
  expect(existsSync(file)).toBe(true);
});

test.each([
  ["a person", "deny", "person"],
  ["nobody", undefined, "deadline"],
] as const)("fails the tool as denied and continues with the turn when %s denies it", async (_who, reply, by) => {
  const { events, file } = await ask(reply);
  expect(events.find(({ type }) => type === "permission.resolved")).toMatchObject({
    outcome: "denied",
    by,
    optionId: "no",
  });
  expect(events.find(({ type }) => type === "tool.failed")).toMatchObject({
    reason: "denied",
    error: { message: "They said no." },
  });
  expect(events.at(-1)).toMatchObject({ outcome: "done", text: "done", filesChanged: [] });
  expect(existsSync(file)).toBe(false);
});

test("ends the turn when the request is denied with stop", async () => {
  const { events, file } = await ask("stop", "write a.txt hello; wait");
  expect(events.at(-1)).toMatchObject({ outcome: "cancelled" });
  expect(existsSync(file)).toBe(false);
});

test("runs nothing when a person changed the input, which ACP cannot carry", async () => {
  const { events, file } = await ask({ decision: "allow", changedInput: { file_path: "b.txt" } });
  expect(events.find(({ type }) => type === "tool.failed")).toBeDefined();
  expect(existsSync(file)).toBe(false);
});

test("allows everything in full mode, and refuses modes the agent does not have", async () => {
  const toy = await withToy();
  const session = await toy.session({ mode: "full" });
  const events = await turn(session, "run make it");
  expect(events.find(({ type }) => type === "permission.resolved")).toMatchObject({ outcome: "allowed", by: "policy" });
  expect(events.find(({ type }) => type === "tool.completed")).toMatchObject({
    output: { text: "ran make it" },
    exitCode: 0,
  });
  await everything(session);
  for (const mode of ["read", "plan", "edits"] as const)
    await expect(toy.session({ mode })).rejects.toMatchObject({ code: "unsupported" });
});

test("starts a call that the agent announces only by its permission request", async () => {
  const { events, asked } = await ask("allow", "bare echo hi");
  expect(asked[0]).toMatchObject({ tool: "shell", title: "echo hi", input: {} });
  expect(typesOf(events).slice(2)).toEqual([
    ...["tool.started", "permission.requested", "permission.resolved", "tool.completed", "turn.completed"],
  ]);
});

test("ends a denied call at once for an agent that never reports denials", async () => {
  const told = (events: Awaited<ReturnType<typeof ask>>["events"]) =>
    typesOf(events).filter((type) => type === "tool.failed" || type === "message.completed");
  const toy = await withToy([], { quirks: { silentDenials: true } });
  const session = await toy.session({ onPermission: () => "deny" });
  expect(told(await turn(session, "bare echo hi; say done"))).toEqual(["tool.failed", "message.completed"]);
  expect(told(await turn(session, "run x; say done"))).toEqual(["tool.failed", "message.completed"]);
  await everything(session);
  const { events } = await ask("deny", "bare echo hi; say done");
  expect(told(events)).toEqual(["message.completed", "tool.failed"]);
  expect(events.find(({ type }) => type === "tool.failed")).toMatchObject({ reason: "denied" });
});

test("handles an agent that uses the same id for every request", async () => {
  const { events } = await ask("allow", "run one; run two; say done", ["--same-ids"]);
  expect(events.filter(({ type }) => type === "permission.resolved")).toHaveLength(2);
  expect(events.at(-1)).toMatchObject({ outcome: "done", text: "done" });
});
