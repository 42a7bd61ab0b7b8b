import { expect, test } from "vitest";
import { acpCall } from "../../../test/support/acp-call.ts";
import type { AcpCall } from "./options.ts";
import { kindOf, mcpIn, nameIn, titleFor, toolOf } from "./tools.ts";

test.each([
  [{ name: "read_file" }, "read", "read_file"],
  [{ name: "read_file", kind: "read" }, "read", "read_file"],
  [{ kind: "execute" }, "shell", "execute"],
  [{ kind: "think" }, "other", "think"],
  [{ kind: "search", name: "glob" }, "glob", "glob"],
  [{ kind: "other", name: "bash" }, "shell", "bash"],
  [{ kind: "read", name: "ls" }, "list", "ls"],
  // The kind says that more may happen than the name suggests.
  [{ kind: "execute", name: "read_file" }, "shell", "read_file"],
  [{ kind: "edit", name: "write_file" }, "write", "write_file"],
  [{ name: "mcp__git__log" }, "mcp", "mcp__git__log"],
  [{}, "other", "tool"],
] as const)("maps %j to the tool %s", (given, tool, nativeName) => {
  expect(toolOf(acpCall(given), [], {})).toMatchObject({ tool, nativeName });
});

test("prefers the description from the agent's folder, field by field", () => {
  const quirks = { tool: ({ id }: AcpCall) => (id === "c" ? { nativeName: "grep" } : undefined) };
  expect(toolOf(acpCall({ kind: "search" }), [], quirks)).toMatchObject({ tool: "grep", nativeName: "grep" });
  const whole = { tool: () => ({ tool: "task", nativeName: "Spawn", input: { description: "look" } }) as const };
  expect(toolOf(acpCall({ kind: "think" }), [], whole)).toEqual(whole.tool());
});

test("finds the files in the input, else in locations and diffs", () => {
  const at = (path: string) => ({ locations: [{ path }] });
  expect(toolOf(acpCall({ kind: "edit", input: { path: "a" }, ...at("b") }), [], {}).input).toEqual({ path: "a" });
  const both = { path: "/a", diff: "+++ b/a\n" };
  expect(toolOf(acpCall({ kind: "edit", input: both }), [], {}).input).toEqual({ path: "/a" });
  expect(toolOf(acpCall({ kind: "edit", ...at("b") }), ["b"], {}).input).toEqual({ path: "b" });
  expect(toolOf(acpCall({ kind: "edit", ...at("b") }), ["c"], {}).input).toEqual({ paths: ["b", "c"] });
  expect(toolOf(acpCall({ kind: "execute", ...at("b") }), [], {}).input).toEqual({});
});

test("finds the tool name in the name, the metadata or a one-word title", () => {
  expect(nameIn({ name: "Bash", title: "ls" }, {})).toBe("Bash");
  expect(nameIn({ title: "ls -la" }, { toolName: "shell" })).toBe("shell");
  expect(nameIn({}, { maker: { toolName: "Edit" }, other: 1 })).toBe("Edit");
  expect(nameIn({ title: "WriteFile" }, {})).toBe("WriteFile");
  expect(nameIn({ title: "seed.txt" }, {})).toBeUndefined();
  expect(nameIn({ title: "Thinking" }, {})).toBeUndefined();
});

test("writes its own title for a known input and keeps the agent's title otherwise", () => {
  const shell = { tool: "shell", nativeName: "execute", input: {} } as const;
  expect(titleFor(shell, "touch\n a.txt", "/w")).toBe("touch a.txt");
  expect(titleFor(shell, undefined, "/w")).toBe("Run a command");
  expect(titleFor({ ...shell, input: { command: "ls" } }, "say hi", "/w")).toBe("Run ls");
});

test("knows ACP kinds and MCP tool names", () => {
  expect([kindOf("edit"), kindOf("dance"), kindOf(1)]).toEqual(["edit", undefined, undefined]);
  expect(mcpIn("mcp__my_git__log")).toEqual({ server: "my_git", tool: "log" });
  expect(mcpIn("git")).toBeUndefined();
});
