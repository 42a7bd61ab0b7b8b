import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/processes.ts";
import type { AgentContext } from "../contract.ts";
import { openSession } from "./session.ts";
import { takeSettings } from "./launch.ts";

const own = { model: "opus", env: { MINE: "1", CLAUDE_CODE_SIMPLE: "1" }, useAutoModeDuringPlan: true };
/** Reins overrides settings that would turn off the hook or let a model decide in a person's place. */
const merged = { model: "opus", env: { MINE: "1", CLAUDE_CODE_SIMPLE: "" }, useAutoModeDuringPlan: false };

async function taken(extraArgs: readonly string[], cwd = "/w") {
  const { rest, settings } = await takeSettings(extraArgs, cwd);
  return { rest, settings: settings === undefined ? undefined : (JSON.parse(settings) as unknown) };
}

test.each([
  [["--effort", "low", "--settings", JSON.stringify(own)]],
  [[`--settings= ${JSON.stringify(own)}`, "--effort", "low"]],
  // The last one is used.
  [["--settings", "{}", "--effort", "low", "--settings", JSON.stringify(own)]],
])("overrides settings given as text: %j", async (extraArgs) => {
  expect(await taken(extraArgs)).toEqual({ rest: ["--effort", "low"], settings: merged });
});

test("overrides settings given as a file", async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "mine.json"), `\uFEFF${JSON.stringify(own)}`);
  expect(await taken(["--settings", "mine.json"], folder.path)).toEqual({ rest: [], settings: merged });
  expect(await taken([`--settings=${join(folder.path, "mine.json")}`])).toEqual({ rest: [], settings: merged });
});

test("leaves the arguments unchanged without settings", async () => {
  expect(await taken(["--setting-sources", "user"])).toEqual({
    rest: ["--setting-sources", "user"],
    settings: undefined,
  });
});

test.each([
  [["--settings"], "Claude Code's --settings has no value."],
  [["--settings", '{"key":"hush'], "The text of Claude Code's --settings is not a JSON object."],
  [["--settings", "nowhere.json"], "The file of Claude Code's --settings cannot be read: /w/nowhere.json."],
  [["--settings", "list.json"], "The file of Claude Code's --settings (FOLDER/list.json) is not a JSON object."],
])("rejects %j with a sentence", async (extraArgs, message) => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "list.json"), "[]");
  const cwd = message.includes("FOLDER") ? folder.path : "/w";
  await expect(taken(extraArgs, cwd)).rejects.toMatchObject({
    code: "invalid_input",
    message: message.replace("FOLDER", folder.path),
    help: "Pass a JSON object, or the path of a file that contains one.",
  });
});

test("passes the settings to the program once, in a private file", async () => {
  let started: { args: readonly string[]; settings: unknown } | undefined;
  const launch = ({ args }: { args: readonly string[] }) => {
    const file = args[args.indexOf("--settings") + 1]!;
    started = { args, settings: JSON.parse(readFileSync(file, "utf8")) };
    return Promise.reject(new Error("It is enough."));
  };
  const context = { processes: { launch }, env: {} } as unknown as AgentContext;
  const extraArgs = ["--settings", JSON.stringify(own)];
  const options = { sessionId: "s", cwd: "/w", mode: "ask", extraArgs } as const;
  await expect(openSession(context, options, { path: "claude", args: [] })).rejects.toThrow("It is enough.");
  expect(started?.settings).toEqual(merged);
  expect(started?.args.filter((arg) => arg.startsWith("--settings"))).toHaveLength(1);
  expect(started?.args.join(" ")).not.toContain("MINE");
});
