import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { shellScript, temporaryFolder } from "../../../test/support/processes.ts";
import { findCommand, findCommands } from "./find-command.ts";

test("finds the first executable on PATH and skips folders, empty entries and files that cannot be run", async () => {
  using folder = temporaryFolder();
  for (const name of ["one", "two", "three"]) mkdirSync(join(folder.path, name));
  mkdirSync(join(folder.path, "one", "tool"));
  writeFileSync(join(folder.path, "two", "tool"), "");
  const path = shellScript(join(folder.path, "three"), "tool", "true");
  const PATH = `:${["one", "two", "three"].map((name) => join(folder.path, name)).join(":")}`;
  expect(await findCommand("tool", { PATH })).toEqual({ path, executable: true });
  chmodSync(path, 0o644);
  expect(await findCommand("tool", { PATH })).toEqual({ path: join(folder.path, "two", "tool"), executable: false });
});

test("returns undefined for an unknown name", async () => {
  expect(await findCommand("reins-no-such-program", { PATH: process.env["PATH"] })).toBeUndefined();
  expect(await findCommand("sh", {})).toBeUndefined();
  expect(await findCommand("", { PATH: "/bin" })).toBeUndefined();
});

test("takes a command with a slash as a path", async () => {
  using folder = temporaryFolder();
  const path = shellScript(folder.path, "tool", "true");
  expect(await findCommand(path, {})).toEqual({ path, executable: true });
  expect(await findCommand(`./${relative(process.cwd(), path)}`, {})).toEqual({ path, executable: true });
  symlinkSync(join(folder.path, "gone"), join(folder.path, "dangling"));
  expect(await findCommand(join(folder.path, "dangling"), {})).toBeUndefined();
  expect(await findCommand(folder.path, {})).toBeUndefined();
});

test("lists all programs of a name on PATH, and links to the same program once", async () => {
  using folder = temporaryFolder();
  for (const name of ["one", "two", "three", "four"]) mkdirSync(join(folder.path, name));
  const first = shellScript(join(folder.path, "one"), "tool", "true");
  symlinkSync(first, join(folder.path, "two", "tool"));
  writeFileSync(join(folder.path, "three", "tool"), "");
  const other = shellScript(join(folder.path, "four"), "tool", "false");
  const PATH = ["one", "two", "three", "four"].map((name) => join(folder.path, name)).join(":");
  expect(await findCommands("tool", { PATH })).toEqual([first, other]);
  expect(await findCommands(first, { PATH })).toEqual([first]);
  expect(await findCommands("nothing", { PATH })).toEqual([]);
});
