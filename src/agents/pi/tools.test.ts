import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { displayPath } from "../../events/paths.ts";
import type { StoppedBy } from "../shared/calls.ts";
import { fileBefore, fileChanged, nativeToolNames, outcomeOf, placeOf, proposedDiff, toolCall } from "./tools.ts";

const places = { cwd: "/project", home: "/home/person" };

test.for<[string, object, object]>([
  [
    "read",
    { path: "a.ts", offset: 5 },
    { tool: "read", kind: "read", title: "Read a.ts", locations: [{ path: "a.ts", line: 5 }] },
  ],
  [
    "write",
    { path: "/project/a.ts" },
    { tool: "write", kind: "edit", title: "Write a.ts", locations: [{ path: "a.ts" }] },
  ],
  ["edit", { path: "~/a.ts", edits: [] }, { tool: "edit", kind: "edit", locations: [{ path: "/home/person/a.ts" }] }],
  ["bash", { command: "npm test" }, { tool: "shell", kind: "execute", title: "Run npm test", locations: undefined }],
  ["grep", { pattern: "x" }, { tool: "grep", kind: "search" }],
  ["find", { pattern: "*.ts" }, { tool: "glob", kind: "search" }],
  ["ls", {}, { tool: "list" }],
  ["web_fetch", { url: "http://x" }, { tool: "web_fetch", kind: "fetch" }],
  ["launch", { description: "Off" }, { tool: "other", kind: "other", locations: undefined }],
])("describes %s %j", ([name, input, expected]) => expect(toolCall(name, input, places)).toMatchObject(expected));

test.for<[string, string]>([
  ["a.ts", "/project/a.ts"],
  ["@a.ts", "/project/a.ts"],
  ["../x", "/project/../x"],
  ["~", "/home/person"],
  ["~/.ssh/id", "/home/person/.ssh/id"],
  ["@~/x", "/home/person/x"],
  ["file:///etc/x%20y", "/etc/x y"],
  ["a\u00A0b", "/project/a b"],
  ["~other/x", "/project/~other/x"],
])("resolves %s to %s", ([path, place]) => expect(placeOf(path, places)).toBe(place));

test("shows paths relative to the workspace", () => {
  expect(displayPath("/project/a/b", "/project")).toBe("a/b");
  expect(displayPath("/project", "/project")).toBe("/project");
  expect(displayPath("/projects/a", "/project")).toBe("/projects/a");
});

test("expands a canonical name to its tools and keeps others", () => {
  expect(nativeToolNames("shell")).toEqual(["bash", "powershell"]);
  expect(nativeToolNames("glob")).toEqual(["find"]);
  expect(nativeToolNames("launch")).toEqual(["launch"]);
});

const text = (said: string) => ({ content: [{ type: "text", text: said }] });

test.for<[string, StoppedBy | undefined, object]>([
  ["Nobody allowed it.", "cancelled", { reason: "cancelled" }],
  ["It broke.", undefined, { reason: "error", error: { message: "It broke." } }],
  ["some\n\nCommand exited with code 3", undefined, { reason: "error", error: { exitCode: 3 } }],
  ["some\n\nCommand timed out after 5 seconds", undefined, { reason: "timeout" }],
  ["some\n\nCommand aborted", undefined, { reason: "cancelled" }],
  ["Operation aborted", undefined, { reason: "cancelled" }],
  ["Not here.", "denied", { reason: "denied" }],
  ["", undefined, { error: { message: "The tool failed without a message." } }],
])("reads the outcome of %j, stopped: %s", ([said, stopped, expected]) =>
  expect(outcomeOf(text(said), true, stopped).failed).toMatchObject(expected),
);

test("reports the images of an output, and its length when it was cut", () => {
  const image = { type: "image", mimeType: "image/png", data: "AAAA" };
  expect(outcomeOf({ content: [{ type: "text", text: "é" }, image] }, false).output).toEqual({
    text: "é",
    bytes: 2,
    kept: 2,
    content: [{ type: "image", mediaType: "image/png", data: "AAAA", bytes: 3 }],
  });
  expect(outcomeOf({ ...text("end"), details: { truncation: { totalBytes: 5000 } } }, false).output).toMatchObject({
    bytes: 5000,
    kept: 3,
  });
});

test("reports what a call would change and what it changed", () => {
  const cwd = mkdtempSync(join(tmpdir(), "reins-test-"));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  writeFileSync(join(cwd, "a.txt"), "one\ntwo\n");
  const here = { cwd, home: "/home/person" };
  const edit = { path: "a.txt", edits: [{ oldText: "two", newText: "2 $& 2" }] };
  const before = fileBefore("edit", edit, here)!;
  expect(proposedDiff(before, "edit", edit, cwd)).toContain("-two\n+2 $& 2\n");
  expect(proposedDiff(before, "edit", { edits: [{ oldText: "three", newText: "3" }] }, cwd)).toBeUndefined();
  const patch = "--- a.txt\n+++ a.txt\n@@ -2,1 +2,1 @@\n-two\n+2\n";
  expect(fileChanged("c", before, edit, { patch }, cwd)).toEqual({
    type: "file.changed",
    path: "a.txt",
    op: "modify",
    callId: "c",
    diff: "--- a/a.txt\n+++ b/a.txt\n@@ -2,1 +2,1 @@\n-two\n+2\n",
    added: 1,
    removed: 1,
  });
  const write = { path: "new.txt", content: "x\n" };
  const missing = fileBefore("write", write, here)!;
  expect(fileChanged("c", missing, write, {}, cwd)).toMatchObject({ path: "new.txt", op: "create", added: 1 });
  expect(fileBefore("bash", { command: "x" }, here)).toBeUndefined();
});
