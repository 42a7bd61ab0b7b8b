import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hookScene, hooksContext, runHook } from "../../../../test/support/cursor-hooks.ts";
import { temporaryFolder } from "../../../../test/support/processes.ts";
import { commandsIn } from "./hooks-file.ts";
import { shimFolder } from "./install.ts";
import { hooksManagement, recoverHooks } from "./manage.ts";

const theirs = '\uFEFF{\r\n\t"version": 1,\r\n\t// mine\r\n\t"hooks": { "stop": [ { "command": "./a.sh" } ] }\r\n}';

function place(text: string | null = theirs): { folder: string; file: string } & Disposable {
  const { path } = temporaryFolder();
  const file = join(path, ".cursor", "hooks.json");
  if (text !== null) {
    fs.mkdirSync(join(path, ".cursor"));
    fs.writeFileSync(file, text);
  }
  return { folder: path, file, [Symbol.dispose]: () => fs.rmSync(path, { recursive: true, force: true }) };
}

const inProject = { REINS_CURSOR_HOOKS: "project" };
const read = (file: string): string => fs.readFileSync(file, "utf8");
const ourCommands = (file: string): string[] =>
  (commandsIn(read(file)) ?? [])
    .filter(({ command }) => command.includes("reins-cursor-hook"))
    .map(({ command }) => command);

describe("hooks in a file of the user", () => {
  test("stay beside the user's own while a session lives, and do nothing for the editor, then or later", async () => {
    using at = place();
    const scene = await hookScene({ folder: at.folder, env: inProject });
    expect(scene.hooks.args).toEqual([]);
    expect(commandsIn(read(at.file))).toContainEqual({ event: "stop", command: "./a.sh" });
    const command = ourCommands(at.file).find((one) => one.endsWith("preToolUse")) ?? "";
    expect(command).not.toMatch(/:\/\//);
    expect(read(at.file)).not.toContain(scene.hooks.env["REINS_HOOK_TOKEN"]);
    const held = scene.next("tool.held");
    const ran = runHook(
      command,
      { tool_name: "Shell", tool_input: { command: "ls" }, tool_use_id: "a" },
      scene.hooks.env,
    );
    scene.hooks.answer((await held).requestId, { decision: "allow" });
    expect(JSON.parse((await ran).stdout)).toEqual({ permission: "allow" });
    await scene[Symbol.asyncDispose]();
    expect(read(at.file)).toBe(theirs);
    // An editor that has read the file before still runs the script.
    expect(await runHook(command, {})).toEqual({ code: 0, stdout: "{}", stderr: "" });
    expect(await runHook(command, {}, scene.hooks.env)).toMatchObject({ code: 2, stdout: "" });
  });

  test("are shared by overlapping sessions and use the longest time limit", async () => {
    using at = place();
    const first = await hookScene({ folder: at.folder, env: inProject, deadlines: { permission: 20_000 } });
    const installed = read(at.file);
    const second = await hookScene({ folder: at.folder, env: inProject });
    expect(read(at.file)).toBe(installed);
    expect([first, second].map(({ hooks }) => hooks.env["REINS_HOOK_WAIT"])).toEqual(["23", "23"]);
    await first[Symbol.asyncDispose]();
    expect(read(at.file)).toBe(installed);
    await second[Symbol.asyncDispose]();
    expect(read(at.file)).toBe(theirs);
  });

  test.each([
    ["not JSON", "{ nope"],
    ["of another format", '{"hooks":[]}'],
    ["empty", ""],
  ])("are not added to a file that is %s, which is an error when required", async (_what, text) => {
    using at = place(text);
    await expect(hookScene({ folder: at.folder, env: inProject })).rejects.toThrow(/left unchanged/);
    expect(read(at.file)).toBe(text);
  });

  test("are not written through a link or into a read-only file", async () => {
    using at = place();
    fs.renameSync(at.file, `${at.file}.real`);
    fs.symlinkSync(`${at.file}.real`, at.file);
    await expect(hookScene({ folder: at.folder, env: inProject })).rejects.toThrow(/is a link/);
    expect(read(`${at.file}.real`)).toBe(theirs);
    fs.rmSync(at.file);
    fs.renameSync(`${at.file}.real`, at.file);
    fs.chmodSync(at.file, 0o444);
    await expect(hookScene({ folder: at.folder, env: inProject })).rejects.toThrow(/read-only|is not writable/);
    expect(read(at.file)).toBe(theirs);
  });

  test("are not added to a file that is no hooks file, and report what may keep them from running", async () => {
    using broken = place('{"hooks":null}');
    const env = inProject;
    await expect(hookScene({ folder: broken.folder, env })).rejects.toThrow(`${broken.file} is not a hooks file`);
    for (const [flaw, entry] of [
      ["(beforeBreakfast)", '"beforeBreakfast":[]'],
      ["(for stop)", '"stop":[{"command":"curl http://127.0.0.1"}]'],
    ] as const) {
      using at = place(`{"version":1,"hooks":{${entry}}}`);
      await using scene = await hookScene({ folder: at.folder, env });
      expect(scene.said).toMatchObject([
        { type: "notice", level: "warning", code: "hooks", message: expect.stringContaining(flaw) as string },
      ]);
      const [, info] = await hooksManagement(scene.context).status({ cwd: at.folder });
      expect(info).toMatchObject({ scope: "project", state: "installed", detail: scene.said[0]!["message" as never] });
    }
  });

  test("are reported as doubtful when an older Cursor joins a file of a newer one", async () => {
    using at = place();
    const bin = join(at.folder, "bin");
    fs.mkdirSync(bin);
    const says = (version: string): void =>
      fs.writeFileSync(join(bin, "cursor-agent"), `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
    const env = { ...inProject, PATH: `${bin}:${process.env["PATH"]}` };
    says("2026.10.01-e373342");
    await using newer = await hookScene({ folder: at.folder, env });
    const status = async (): Promise<string | undefined> =>
      (await hooksManagement(newer.context).status({ cwd: at.folder }))[1]?.detail;
    expect([newer.said, await status()]).toEqual([[], undefined]);
    await using older = await hookScene({ folder: at.folder, env, version: "2025.12.01-a" });
    const message = expect.stringMatching(/Cursor 2025\.12\.01-a does not know \(\w+\): .* may ignore/) as string;
    expect(older.said).toEqual([{ type: "notice", level: "warning", code: "hooks", message }]);
    says("2025.12.01-a  ");
    expect(await status()).toEqual(message);
  });

  test("stay when the user wants it, are used from there, and are removed on request", async () => {
    using at = place();
    const context = hooksContext(at.folder);
    const manage = hooksManagement(context);
    const [user, project] = await manage.status({ cwd: at.folder });
    expect([user, project]).toMatchObject([
      { scope: "user", state: "not_installed", others: 1, kept: false },
      { scope: "project", path: at.file },
    ]);
    expect(await manage.install("user")).toMatchObject({ state: "installed", kept: true, sessions: 0, others: 1 });
    await using scene = await hookScene({ folder: at.folder });
    expect(["REINS_HOOK_TOKEN" in scene.hooks.env, scene.hooks.args]).toEqual([true, []]);
    expect(await manage.status()).toMatchObject([{ kept: true, sessions: 1 }, {}]);
    expect(await manage.remove("user")).toMatchObject({ state: "installed", kept: false, sessions: 1 });
    await scene.hooks.close();
    expect(read(at.file)).toBe(theirs);
    await context.processes.close();
  });

  test("are removed from a rewritten file, even when no record of them is left", async () => {
    using at = place();
    const context = hooksContext(at.folder);
    const manage = hooksManagement(context);
    await manage.install("user");
    const anew = JSON.stringify(
      { ...(JSON.parse(JSON.stringify({ a: 1 })) as object), hooks: valueOf(at.file) },
      null,
      2,
    );
    fs.writeFileSync(at.file, anew);
    fs.rmSync(join(at.folder, "state", "lent"), { recursive: true });
    expect(await manage.remove("user")).toMatchObject({ state: "not_installed", others: 1 });
    expect(JSON.parse(read(at.file))).toEqual({ a: 1, hooks: { stop: [{ command: "./a.sh" }] } });
    fs.writeFileSync(at.file, "{ nope");
    expect(await manage.status()).toMatchObject([{ state: "broken" }, {}]);
    await manage.remove("user");
    await recoverHooks(context);
    expect(read(at.file)).toBe("{ nope");
    await context.processes.close();
  });

  test("are left to the other Reins when it has another home, and both restore the file", async () => {
    using at = place(null);
    const one = await hookScene({ folder: at.folder, env: inProject });
    const other = await hookScene({ folder: at.folder, env: inProject, home: "other" });
    expect(new Set(ourCommands(at.file).map((command) => command.split("/hooks/")[0]))).toEqual(
      new Set([join(at.folder, "state"), join(at.folder, "other")]),
    );
    expect(await hooksManagement(one.context).status({ cwd: at.folder })).toMatchObject([
      { detail: expect.stringMatching(/another home/) as string },
      {},
    ]);
    await one[Symbol.asyncDispose]();
    expect(ourCommands(at.file).every((command) => command.includes(join(at.folder, "other")))).toBe(true);
    await other[Symbol.asyncDispose]();
    expect(fs.existsSync(at.file)).toBe(false);
  });
});

function valueOf(file: string): Record<string, unknown> {
  const entries = commandsIn(read(file)) ?? [];
  const events = new Set(entries.map(({ event }) => event));
  return Object.fromEntries(
    [...events].map((event) => [
      event,
      entries.filter((entry) => entry.event === event).map(({ command }) => ({ command })),
    ]),
  );
}

test("keep their script in Reins's own folder, readable by the user only", async () => {
  using at = place();
  await using scene = await hookScene({ folder: at.folder, env: inProject });
  const folder = shimFolder(scene.context.env);
  expect(
    fs.readdirSync(folder).map((name) => [name.split(".")[1], fs.statSync(join(folder, name)).mode & 0o777]),
  ).toEqual([
    ["cjs", 0o600],
    ["pl", 0o600],
    ["sh", 0o700],
  ]);
});
