import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Tool } from "../../events/tools.ts";
import { locate, workspaceOf } from "../../workspace/real-paths.ts";
import { testFolder } from "../../../test/support/core.ts";
import { grantFor } from "./options.ts";

function place() {
  const cwd = testFolder();
  const further = testFolder();
  mkdirSync(join(cwd, ".git"));
  symlinkSync("/etc", join(cwd, "link"));
  symlinkSync(join(cwd, "nowhere"), join(cwd, "dangling"));
  const workspace = workspaceOf({ cwd, directories: [further] });
  const grant = (
    tool: Tool,
    nativeName: string,
    paths: readonly string[],
    input: unknown = {},
    mcp?: { server: string; tool: string },
  ) =>
    grantFor(
      { tool, nativeName, input, mcp },
      paths.map((path) => locate(workspace, path)),
      cwd,
    );
  return { cwd, further, grant };
}

test.each<[Tool, string, readonly string[], object, string]>([
  ["write", "write", ["a.txt"], {}, "edits in the workspace"],
  ["edit", "edit", ["deep/er/a.txt"], {}, "edits in the workspace"],
  ["write", "write", [".git/hooks/x"], {}, "edits of .git/hooks/x"],
  ["write", "write", ["link/passwd"], {}, "edits of link/passwd"],
  ["write", "write", ["dangling"], {}, "edits of dangling"],
  ["write", "write", ["/etc/passwd"], {}, "edits of /etc/passwd"],
  ["edit", "apply_patch", ["a", ".git/config"], {}, "edits of a, .git/config"],
  ["shell", "bash", [], { command: "npm\ntest" }, "the command npm test"],
  ["read", "read", ["/etc/passwd"], {}, "read on /etc/passwd"],
  ["web_fetch", "webfetch", [], { url: "https://a.example/x" }, "pages of a.example"],
  ["web_fetch", "webfetch", [], {}, "the tool webfetch"],
  ["other", "launch", [], {}, "the tool launch"],
])("grants always for %s (%s) on %j %j: %s", (tool, nativeName, paths, input, label) => {
  expect(place().grant(tool, nativeName, paths, input).label).toBe(label);
});

test("treats an added folder as workspace and names an MCP tool with its server", () => {
  const { further, grant } = place();
  expect(grant("write", "write", [join(further, "a")]).label).toBe("edits in the workspace");
  expect(grant("mcp", "mcp__s__add", [], {}, { server: "s", tool: "add" }).label).toBe("the tool s: add");
});

test("applies an always answer to the same calls only", () => {
  const { grant } = place();
  const run = (command: string) => grant("shell", "bash", [], { command }).key;
  const write = (path: string, name = "write") => grant("write", name, [path]).key;
  expect(run("npm test")).toBe(run("npm test"));
  expect(run("npm test")).not.toBe(run("npm test; rm -rf x"));
  expect(write("a.txt")).toBe(write("b.txt"));
  expect(write("a.txt")).toBe(write("a.txt", "edit"));
  expect(new Set([write("a.txt"), write(".env"), write("/etc/passwd"), write("/etc/shadow")]).size).toBe(4);
});
