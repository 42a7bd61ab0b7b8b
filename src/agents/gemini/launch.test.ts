import { parse } from "smol-toml";
import { expect, test } from "vitest";
import type { OpenOptions } from "../contract.ts";
import { argumentsOf, policyOf } from "./launch.ts";
import { environmentOf } from "./program.ts";
import { promptBlocks } from "./translate.ts";

const args = (options: Partial<OpenOptions> = {}) =>
  argumentsOf({ sessionId: "s", cwd: "/w", mode: "ask", ...options }, "/p.toml");

test("converts options to arguments", () => {
  expect(args()).toEqual(["--admin-policy", "/p.toml"]);
  expect(args({ model: "flash", directories: ["/a b", "/c"], extraArgs: ["--debug"] })).toEqual([
    ...["--admin-policy", "/p.toml", "--model", "flash"],
    ...["--include-directories", "/a b", "--include-directories", "/c", "--debug"],
  ]);
});

test.each([
  { extraArgs: ["--yolo"] },
  { extraArgs: ["--approval-mode=yolo"] },
  { extraArgs: ["--skip-trust"] },
  { extraArgs: ["--allowed-tools", "run_shell_command"] },
  { model: "--yolo" },
  { directories: ["/a,/b"] },
])("rejects %o", (options) => {
  expect(() => args(options)).toThrow(expect.objectContaining({ code: "invalid_input" }));
});

test("passes only declared variables, and none of an outer session or editor", () => {
  const env = environmentOf(
    {
      ...{ HOME: "/h", GEMINI_API_KEY: "k", GOOGLE_CLOUD_PROJECT: "p", OTHER_KEY: "o", GEMINI_CLI: "1" },
      ...{ GEMINI_CLI_IDE_SERVER_PORT: "1", GEMINI_CLI_INTEGRATION_TEST: "true" },
    },
    { A: "b" },
  );
  expect(env).toEqual({
    ...{ HOME: "/h", GEMINI_API_KEY: "k", GOOGLE_CLOUD_PROJECT: "p", GEMINI_CLI_NO_RELAUNCH: "true", A: "b" },
  });
});

/** The rules of a policy, parsed from its TOML. */
const rules = async (...given: Parameters<typeof policyOf>) =>
  parse(await policyOf(...given))["rule"] as Record<string, unknown>[];

test("limits plan mode to reading, whatever else is allowed, except for the plan file", async () => {
  const written = await rules(undefined, { HOME: "/home/a.b" });
  for (const rule of written) expect(rule).toMatchObject({ modes: ["plan"] });
  const allowed = written.filter(({ decision }) => decision === "allow");
  const patterns = allowed.map(({ toolName, argsPattern }) => {
    expect(toolName).toEqual(["write_file", "replace"]);
    return new RegExp(argsPattern as string);
  });
  const passes = (path: string) => patterns.some((pattern) => pattern.test(`\0"file_path":"${path}"\0`));
  for (const path of ["plan.md", "/home/a.b/.gemini/tmp/app/plans/p.md", "/home/a.b/.gemini/tmp/app/id-1/plans/p.md"])
    expect(passes(path)).toBe(true);
  for (const path of [
    "x.txt",
    "/w/plan.md",
    "../plan.md",
    "/home/axb/.gemini/tmp/app/plans/p.md",
    "/home/a.b/.gemini/tmp/../x.md",
  ])
    expect(passes(path)).toBe(false);
});

test.each([
  [{ allowed: ["shell"] }, { toolName: "run_shell_command", decision: "allow" }],
  [{ allowed: ["shell(git *)"] }, { commandPrefix: "git", decision: "allow" }],
  [{ allowed: ['shell(echo "\\x" \u007f*)'] }, { commandPrefix: 'echo "\\x" \u007f' }],
  [{ allowed: ["mcp"] }, { mcpName: "*", decision: "allow" }],
  [{ disallowed: ["shell(git push:*)"] }, { commandPrefix: "git push", decision: "deny" }],
  [{ disallowed: ["edit(src/**)"] }, { toolName: "replace", decision: "deny" }],
  [{ disallowed: ["mcp"] }, { mcpName: "*", decision: "deny" }],
  [{ allowed: ["mcp_files_add"] }, { toolName: "mcp_files_add", decision: "allow" }],
])("converts %o", async (tools, rule) => {
  const more = (await rules(tools, {})).slice((await rules(undefined, {})).length);
  expect(more).toContainEqual(expect.objectContaining(rule));
});

test("allows nothing for a rule narrower than the engine supports", async () => {
  expect(await rules({ allowed: ["edit(src/**)"] }, {})).toHaveLength((await rules(undefined, {})).length);
});

test("builds the blocks of a prompt", () => {
  const text = { type: "text", text: "go" };
  const link = { type: "resource_link", uri: "file:///w/a%20b.txt", name: "a b.txt" };
  const file = { type: "resource", resource: { uri: "file:///w/c.txt", text: "c" } };
  const image = { type: "image", data: "AA==", mimeType: "image/png" };
  expect(promptBlocks([text])).toEqual([text]);
  expect(promptBlocks([link, text])).toEqual([link, { type: "text", text: "\ngo" }]);
  expect(promptBlocks([image, text])).toEqual([image, text]);
  const [first, second, third] = promptBlocks([link, file, image, text]) as { type: string; text: string }[];
  expect([first!.type, second!.type, third!.type]).toEqual(["text", "text", "image"]);
  expect(first!.text).toContain("/w/a b.txt");
  expect(second!.text).toContain("--- /w/c.txt ---\nc");
});
