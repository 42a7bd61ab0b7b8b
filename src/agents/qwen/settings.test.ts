import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { hookNames } from "./hooks.ts";
import { machineDefaults, settingsWith } from "./launch.ts";

const hooksUrl = "http://127.0.0.1:1/secret";
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "reins-test-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("adds every hook that Reins needs beside the machine's", () => {
  const theirs = { matcher: "x", hooks: [{ type: "command", command: "true" }] };
  const settings = settingsWith({ hooks: { PreToolUse: [theirs], Stop: [theirs] }, ui: { theme: "x" } }, { hooksUrl });
  const ours = { hooks: [{ type: "http", url: hooksUrl, timeout: 3_600 }] };
  for (const name of hookNames)
    expect((settings["hooks"] as Record<string, unknown>)[name]).toEqual(
      name === "PreToolUse" ? [theirs, ours] : [ours],
    );
  expect(settings).toMatchObject({ hooks: { Stop: [theirs] }, ui: { theme: "x" } });
});

test("adds rules and folders to the machine's", () => {
  const machine = { permissions: { allow: ["a"], deny: ["b"], ask: ["c"] }, context: { includeDirectories: ["/m"] } };
  const tools = { allowed: ["shell(git *)"], disallowed: ["mcp", "Own(x)"] };
  expect(settingsWith(machine, { hooksUrl, tools, directories: ["/d"] })).toMatchObject({
    permissions: {
      allow: ["a", ...["run_shell_command", "monitor", "exec"].map((name) => `${name}(git *)`)],
      deny: ["b", "mcp__*", "Own(x)"],
      ask: ["c"],
    },
    context: { includeDirectories: ["/m", "/d"] },
  });
});

test("reads the machine's defaults with comments", async () => {
  const path = join(folder, "defaults.json");
  await writeFile(path, '{ // a\n "ui": { "theme": "// not a comment" } /* b */ }');
  expect(await machineDefaults({ QWEN_CODE_SYSTEM_DEFAULTS_PATH: path })).toEqual({
    ui: { theme: "// not a comment" },
  });
  await writeFile(join(folder, "system-defaults.json"), "{}");
  expect(await machineDefaults({ QWEN_CODE_SYSTEM_SETTINGS_PATH: join(folder, "settings.json") })).toEqual({});
  expect(await machineDefaults({ QWEN_CODE_SYSTEM_DEFAULTS_PATH: join(folder, "none") })).toEqual({});
});

test("reports unreadable defaults instead of replacing them", async () => {
  const path = join(folder, "defaults.json");
  await writeFile(path, "{");
  await expect(machineDefaults({ QWEN_CODE_SYSTEM_DEFAULTS_PATH: path })).rejects.toMatchObject({
    code: "invalid_input",
  });
});
