import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testFolder } from "../../../test/support/core.ts";
import type { AcpCall } from "../../protocols/acp/index.ts";
import { nameIn, nativeNames, toolOf } from "./tools.ts";

const call = (name: string, title: string, path?: string): AcpCall => ({
  id: `${name}__${name}_1794769887258_0`,
  name: undefined,
  kind: undefined,
  title,
  input: undefined,
  locations: path === undefined ? [] : [{ path }],
  meta: {},
});

test.each([
  ["write_file", "Writing to a.txt", "write", undefined, { path: "/w/a.txt" }],
  ["read_file", "a.txt", "read", undefined, { path: "/w/a.txt" }],
  ["run_shell_command", "npm test", "shell", { command: "npm test" }],
  ["list_directory", "src", "list", { path: "src" }],
  ["glob", "'**/*.ts'", "glob", { pattern: "**/*.ts" }],
  ["grep_search", "'it''s' in *.ts within src", "grep", { pattern: "it''s" }],
  ["google_web_search", 'Searching the web for: "q"', "web_search", { query: "q" }],
  ["web_fetch", 'Processing URLs and instructions from prompt: "Read http://x/y"', "web_fetch", { url: "http://x/y" }],
  ["invoke_agent", "Delegating to agent 'generalist'", "task", { description: "generalist" }],
  ["enter_plan_mode", "to think", "mode", { name: "plan" }],
  ["write_todos", "Set 1 todo(s)", "plan", undefined],
  ["update_topic", 'Update topic to: "T"', "other", undefined],
  ["mcp_my_files_add", "add (my_files MCP Server)", "mcp", { server: "my_files", name: "add" }],
  ["mcp_x_y", "something else", "mcp", undefined],
] as const)("reads %s: %s", (name, title, tool, input, given?: object) => {
  const found = toolOf(call(name, title, given === undefined ? undefined : "/w/a.txt"));
  expect(found).toMatchObject({ tool, nativeName: name });
  expect(found?.input).toEqual(input);
  expect(found?.given).toEqual(given ?? input);
});

test("finds both names of a server's tool", () => {
  expect(toolOf(call("mcp_my_files_add", "add (my_files MCP Server)"))?.mcp).toEqual({
    server: "my_files",
    tool: "add",
  });
});

test("reads a plan from its file, and only from a plan file", () => {
  const plans = join(testFolder(), "plans");
  mkdirSync(plans);
  writeFileSync(join(plans, "plan.md"), "\n# Do it\n\nNow.\n");
  writeFileSync(join(plans, "secret.txt"), "x");
  const asked = (path: string) => toolOf(call("exit_plan_mode", `Requesting plan approval for: ${path}`));
  expect(asked(join(plans, "plan.md"))).toMatchObject({
    tool: "plan",
    input: { description: "Do it" },
    given: { plan: "\n# Do it\n\nNow.\n" },
  });
  expect(asked(join(plans, "gone.md"))?.given).toMatchObject({ plan: "" });
  expect(asked(join(plans, "secret.txt"))?.given).toBeUndefined();
});

test.each([
  ["write_file__write_file_1794769887258_0", "write_file"],
  ["mcp_a_b__call__7", "mcp_a_b"],
  ["7", undefined],
])("finds the name in %s", (id, name) => {
  expect(nameIn(id)).toBe(name);
});

test("expands canonical names to its tools and keeps its own", () => {
  expect(nativeNames("edit")).toEqual(["replace"]);
  expect(nativeNames("shell")).toContain("run_shell_command");
  expect(nativeNames("mcp_files_add")).toEqual(["mcp_files_add"]);
});
