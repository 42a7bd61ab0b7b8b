import { expect, test } from "vitest";
import { proof } from "./proof.ts";
import { callOf } from "./tools.ts";

test.each([
  ["read_file", { path: "/work/a.ts" }, "read", "Read a.ts"],
  ["search_replace", { file_path: "a.ts" }, "edit", "Edit a.ts"],
  ["run_terminal_cmd", { command: "npm test" }, "shell", "Run npm test"],
  ["grep", { pattern: "TO" + "DO" }, "grep", undefined],
  ["glob_file_search", { glob_pattern: "*.ts" }, "glob", undefined],
  ["web_fetch", { url: "https://example.com" }, "web_fetch", undefined],
  ["web_search", { search_term: "x" }, "web_search", undefined],
  ["mcp", { providerIdentifier: "linear", toolName: "list" }, "mcp", undefined],
  ["ask_question", { questions: [{ prompt: "Which?" }] }, "question", undefined],
  ["list_dir", { path: "src" }, "list", undefined],
  ["something_new", { description: "Does it." }, "other", undefined],
  ["read_file", undefined, "read", undefined],
])("describes %s with %o as %s", (name, input, tool, title) => {
  const call = callOf(name, input, "/work");
  expect(call).toMatchObject({ tool, nativeName: name, input: input ?? {} });
  expect(call.title).toBe(title ?? call.title);
  expect(call.title).not.toBe("");
});

test.each(["read", "write", "edit", "delete", "shell", "grep", "glob", "list", "web_fetch", "mcp"] as const)(
  "recognizes a model's call of %s",
  (tool) => {
    const spelled = proof.toolCall({ tool, path: "a", text: "x", command: "ls", server: "s", name: "t" });
    expect(callOf(spelled!.name, spelled!.input, "/work").tool).toBe(tool);
  },
);

test("does not spell a tool that its model lacks", () => {
  expect(proof.toolCall({ tool: "move" })).toBeUndefined();
  expect(proof.toolCall({ tool: "shell", command: "x", background: true })).toBeUndefined();
});
