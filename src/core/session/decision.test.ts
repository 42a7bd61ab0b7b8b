import { expect, test } from "vitest";
import { fakeActive, freshState } from "../../../test/support/session-state.ts";
import type { Tool } from "../../events/tools.ts";
import { decideOn } from "./decision.ts";

const cwd = import.meta.dirname;
const state = freshState({ active: fakeActive("puppet", { judge: "reins" }) });
const decided = (tool: Tool, input: unknown, locations?: { path: string }[]) =>
  decideOn(
    { type: "tool.held", requestId: "r", callId: "c", tool, nativeName: tool, title: "T", input, locations },
    state,
    { cwd, folders: [cwd] },
  );

test.each<[Tool, unknown, "allow" | "ask", boolean]>([
  ["grep", { pattern: "x" }, "allow", false],
  ["grep", { pattern: "x", path: "/etc" }, "ask", true],
  ["read", { path: "a.txt" }, "allow", false],
  ["read", { paths: ["a.txt", "b.txt"] }, "allow", false],
  ["read", { paths: ["a.txt", "/etc/passwd"] }, "ask", true],
  // An unknown file counts as outside.
  ["read", {}, "ask", false],
])("decides %s %j by the paths in its input: %s", (tool, input, decision, outside) => {
  expect(decided(tool, input)).toMatchObject({ decision, outside });
});

test("prefers the agent's locations over its input", () => {
  expect(decided("read", { path: "a.txt" }, [{ path: "/etc/passwd" }])).toMatchObject({ decision: "ask" });
});
