import { expect, test } from "vitest";
import { inputParts } from "./input-parts.ts";

const diff = "--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n one\n-two\n+three";

test.each([
  ["a command", { tool: "shell", input: { command: "ls" } }, "command", {}],
  [
    "a command with another field",
    { tool: "shell", input: { command: "ls", sandbox: false } },
    "command",
    { sandbox: false },
  ],
  [
    "a command as a list of words",
    { tool: "shell", input: { command: ["ls", "-l"], cwd: "/" } },
    "command",
    { cwd: "/" },
  ],
  ["a plan", { tool: "plan", input: { plan: "# Go", allowed: ["shell"] } }, "plan", { allowed: ["shell"] }],
  ["fields", { tool: "mcp", input: { plan: "# Go", to: "x" } }, "fields", {}],
  ["a list", { tool: "mcp", input: ["a"] }, "fields", {}],
  ["nothing", { tool: "mcp", input: undefined }, "fields", {}],
  [
    "a diff, without the fields it shows",
    { tool: "edit", diff, input: { path: "/a.ts", old_string: "one\ntwo", new_string: "one\nthree", run: "rm -r /" } },
    "diff",
    { path: "/a.ts", run: "rm -r /" },
  ],
  ["an empty diff", { tool: "edit", diff: "", input: { path: "/a.ts" } }, "fields", {}],
] as const)("%s", (_, asked, subject, rest) => {
  expect(inputParts(asked)).toEqual({ subject, rest });
});
