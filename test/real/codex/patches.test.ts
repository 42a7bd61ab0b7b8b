/** Patches: the approval request has neither paths nor a diff, so both are taken from the item. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { PermissionRequest } from "../../../src/index.ts";
import { scenarioPrompt, type Scenario } from "../../../src/testing/index.ts";
import { all, one } from "../support/events.ts";
import { realAgent } from "../support/real-agent.ts";

const patch = (name: string, ...lines: readonly string[]): Scenario => ({
  name,
  steps: [
    [{ callNative: { name: "apply_patch", input: ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n") } }],
    [{ say: "I was told: {lastResult}" }],
  ],
});

const scenarios = [
  patch("edit-line", "*** Update File: hello.txt", "@@", " one", "-two", "+2", " three"),
  patch("move-file", "*** Update File: hello.txt", "*** Move to: moved.txt", "@@", " one", "-two", "+2", " three"),
  patch("many", "*** Add File: a.txt", "+a", "*** Delete File: hello.txt"),
  patch("broken", "*** Update File: hello.txt", "@@", "-no such line", "+x"),
  patch("elsewhere", "*** Add File: linked/x.txt", "+x"),
];

async function withFile() {
  const real = await realAgent("codex", { scenarios });
  writeFileSync(join(real.cwd, "hello.txt"), "one\ntwo\nthree\n");
  return real;
}

test("asks about an edit with its diff, and reports the same diff afterwards", async () => {
  const real = await withFile();
  const asked: PermissionRequest[] = [];
  const onPermission = (request: PermissionRequest) => (asked.push(request), "allow" as const);
  const { events } = await real.turn(await real.session({ mode: "ask", onPermission }), scenarioPrompt("edit-line"));
  const diff = "--- a/hello.txt\n+++ b/hello.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n";
  expect(asked).toMatchObject([{ tool: "edit", title: "Edit hello.txt", locations: [{ path: "hello.txt" }], diff }]);
  expect(one(events, "file.changed")).toMatchObject({ path: "hello.txt", op: "modify", diff, added: 1, removed: 1 });
  expect(readFileSync(join(real.cwd, "hello.txt"), "utf8")).toBe("one\n2\nthree\n");
});

test.each(["read", "ask", "edits"] as const)("does not move a file without permission in mode %s", async (mode) => {
  const real = await withFile();
  const { events } = await real.turn(
    await real.session({ mode, onPermission: () => "deny" }),
    scenarioPrompt("move-file"),
  );
  expect(one(events, "tool.started")).toMatchObject({ tool: "move" });
  expect(one(events, "tool.failed")).toMatchObject({ reason: "denied" });
  expect([existsSync(join(real.cwd, "hello.txt")), existsSync(join(real.cwd, "moved.txt"))]).toEqual([true, false]);
});

test("moves, creates and deletes files in one patch", async () => {
  const real = await withFile();
  const full = await real.session({ mode: "full" });
  const moved = await real.turn(full, scenarioPrompt("move-file"));
  expect(one(moved.events, "tool.started")).toMatchObject({ tool: "move", title: "Rename hello.txt → moved.txt" });
  expect(one(moved.events, "file.changed")).toMatchObject({
    path: "moved.txt",
    oldPath: "hello.txt",
    op: "move",
    diff: "--- a/hello.txt\n+++ b/moved.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n",
  });
  writeFileSync(join(real.cwd, "hello.txt"), "one\n");
  const many = await real.turn(full, scenarioPrompt("many"));
  expect(one(many.events, "tool.started")).toMatchObject({ tool: "edit", title: "Edit a.txt, hello.txt" });
  expect(all(many.events, "file.changed").map(({ path, op }) => [path, op])).toEqual([
    ["a.txt", "create"],
    ["hello.txt", "delete"],
  ]);
});

test("fails a patch that does not apply, and the turn continues", async () => {
  const real = await withFile();
  const { result, events } = await real.turn(await real.session({ mode: "full" }), scenarioPrompt("broken"));
  expect(one(events, "tool.failed")).toMatchObject({ reason: "error" });
  expect(all(events, "file.changed")).toEqual([]);
  expect(result.outcome).toBe("done");
});

test('does not ask again after "for the session", except for protected paths', async () => {
  const real = await withFile();
  const asked: string[] = [];
  const onPermission = ({ title }: PermissionRequest) => (asked.push(title), asked.length === 1 ? "always" : "deny");
  const asks = await real.session({ mode: "ask", onPermission });
  await real.turn(asks, scenarioPrompt("write", "a/x.txt"));
  await real.turn(asks, scenarioPrompt("write", "y.txt"));
  expect(asked).toEqual(["Write a/x.txt"]);
  mkdirSync(join(real.home, "outside"));
  symlinkSync(join(real.home, "outside"), join(real.cwd, "linked"));
  await real.turn(asks, scenarioPrompt("elsewhere"));
  await real.turn(asks, scenarioPrompt("write", ".git/hooks/pre-commit"));
  await real.turn(asks, scenarioPrompt("delete", "y.txt"));
  expect(asked.slice(1)).toEqual(["Write linked/x.txt", "Write .git/hooks/pre-commit", "Delete y.txt"]);
  expect(existsSync(join(real.home, "outside", "x.txt"))).toBe(false);
  await asks.configure({ mode: "edits" });
  await asks.configure({ mode: "ask" });
  await real.turn(asks, scenarioPrompt("write", "z.txt"));
  expect(asked.at(-1)).toBe("Write z.txt");
});
