import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isAlive, temporaryFolder, until } from "../../test/support/processes.ts";
import { runShell } from "./run-shell.ts";

const never = new AbortController().signal;

test("returns the output of both streams, and the exit code", async () => {
  using folder = temporaryFolder();
  const { output, exitCode } = await runShell("echo out; echo err >&2; exit 3", folder.path, never);
  expect(output.split("\n").toSorted()).toEqual(["", "err", "out"]);
  expect(exitCode).toBe(3);
});

test("does not wait for a background process that keeps the output open", async () => {
  using folder = temporaryFolder();
  const { output } = await runShell("sleep 600 & echo $!", folder.path, never);
  const pid = Number(output);
  expect(isAlive(pid)).toBe(true);
  process.kill(pid, "SIGKILL");
});

test("ends everything that the shell has started when aborted", async () => {
  const leaving = new AbortController();
  using folder = temporaryFolder();
  const file = `${folder.path}/pid`;
  const running = runShell("echo begun; sh -c 'echo $$ > pid; sleep 600; true'; true", folder.path, leaving.signal);
  await until(() => existsSync(file) && readFileSync(file, "utf8") !== "", "the start");
  leaving.abort();
  await expect(running).resolves.toMatchObject({ output: "begun\n", stopped: true });
  const pid = Number(readFileSync(file, "utf8"));
  await until(() => !isAlive(pid), "the end");
});

test("fails for a missing folder", async () => {
  await expect(runShell("true", "/nowhere/at/all", never)).rejects.toThrow("ENOENT");
});
