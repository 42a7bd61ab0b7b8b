/** `reins hooks` on a user's files: their other bytes must not change. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Place, type CommandResult } from "../../../test/support/command.ts";

const theirs = '\uFEFF{\r\n\t"version": 1,\r\n\t// mine\r\n\t"hooks": { "stop": [ { "command": "./a.sh" } ] }\r\n}';

let place: Place;
let files: { user: string; project: string };
beforeEach(() => {
  place = new Place();
  files = { user: fileIn(place.home), project: fileIn(place.cwd) };
  cursor("2026.10.01-e373342");
});
afterEach(() => place[Symbol.dispose]());

const fileIn = (folder: string): string => join(folder, ".cursor", "hooks.json");
const bytes = (file: string): string => readFileSync(file, "utf8");

function write(file: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode });
}

/** A program that reports this version. */
function cursor(version: string): void {
  write(join(place.home, "bin", "cursor-agent"), `#!/bin/sh\necho ${version}\n`, 0o755);
}

function hooks(...args: string[]): Promise<CommandResult> {
  const env = { PATH: `${join(place.home, "bin")}:${process.env["PATH"]}` };
  return place.run(["hooks", ...args], { env });
}

async function told(...args: string[]): Promise<unknown[]> {
  const { code, stdout, stderr } = await hooks(...args, "--json");
  expect([code, stderr]).toEqual([0, ""]);
  const lines = stdout.trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as unknown);
}

it("adds hooks to the user's file and removes them byte for byte", async () => {
  write(files.user, theirs);
  const before = await hooks("cursor", "status");
  expect(before).toMatchObject({ code: 0, stderr: "" });
  expect(before.stdout).toMatch(/^scope +state +used by +others +file$/m);
  expect(before.stdout).toMatch(/^user +not installed +1 +\S+hooks\.json$/m);
  expect(before.stdout).toMatch(/^project +no file /m);
  expect(bytes(files.user)).toBe(theirs);

  const installed = await hooks("cursor", "install");
  expect(installed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^user +installed +you +1 /m) as string });
  const now = bytes(files.user);
  expect(now).toContain('{ "command": "./a.sh" }');
  expect(now).toMatch(/"preToolUse":\[\{"command":"[^"]*reins-cursor-hook[^"]* preToolUse","timeout":305,"fail/);
  expect(existsSync(files.project)).toBe(false);
  // A second install changes nothing.
  expect(await hooks("cursor", "install")).toMatchObject({ code: 0, stdout: installed.stdout });
  expect(bytes(files.user)).toBe(now);

  cursor("2025.12.01-abc");
  expect((await hooks("cursor", "status")).stdout).toMatch(/→ .*Cursor 2025\.12\.01-abc does not know \(\w+\)/);
  const removed = await hooks("cursor", "remove");
  expect(removed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^user +not installed +1 /m) as string });
  expect(bytes(files.user)).toBe(theirs);
});

it("creates and removes a project file with --project, and prints JSON", async () => {
  write(files.user, theirs);
  const there = { scope: "project", path: files.project, state: "installed", kept: true, sessions: 0, others: 0 };
  expect(await told("cursor", "install", "--project")).toEqual([there]);
  expect(Object.keys((JSON.parse(bytes(files.project)) as { hooks: object }).hooks)).toContain("preToolUse");
  expect(await told("cursor", "status", "--project")).toEqual([there]);
  expect(await told("cursor", "status")).toMatchObject([{ scope: "user", state: "not_installed", others: 1 }, there]);
  expect(await told("cursor", "remove", "--project")).toMatchObject([{ state: "absent", kept: false }]);
  expect([existsSync(dirname(files.project)), bytes(files.user)]).toEqual([false, theirs]);
  // Removing hooks that are not installed creates nothing.
  expect(await told("cursor", "remove", "--project")).toMatchObject([{ state: "absent" }]);
  expect(existsSync(dirname(files.project))).toBe(false);
});

it("reports invalid input and changes nothing", async () => {
  write(files.user, "{ nope");
  const nonsense = [
    [["cursor"], /Missing required argument 'action'/],
    [["cursor", "instal"], /'instal' is invalid.*status, install, remove/is],
    [["cursor", "status", "more"], /too many arguments/i],
    [["cursor", "install", "--user"], /unknown option '--user'/i],
    [["cursr", "install"], /There is no agent cursr\.\nDid you mean cursor\?/],
    [["demo", "install"], /Demo has no hooks that Reins can install/],
    [["cursor", "install"], /hooks\.json is not a hooks file that Reins can read, so it was left unchanged/],
  ] as const;
  await Promise.all(
    nonsense.map(async ([args, says]) => {
      const { code, stdout, stderr } = await hooks(...args);
      expect([args, code, stdout]).toEqual([args, 2, ""]);
      expect(stderr).toMatch(says);
    }),
  );
  expect((await hooks("cursor", "status")).stdout).toMatch(/^user +cannot be read .*\n +→ It is not a hooks file/m);
  expect([bytes(files.user), existsSync(files.project)]).toEqual(["{ nope", false]);
});
