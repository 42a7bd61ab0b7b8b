import { constants } from "node:os";
import { expect, test } from "vitest";
import { hasBrowser, runInTerminal, typed } from "./sign-in-out.ts";

test.each([
  ["linux", {}, false],
  ["linux", { DISPLAY: ":0" }, true],
  ["linux", { DISPLAY: ":0", SSH_CONNECTION: "1" }, false],
  ["darwin", {}, true],
  ["darwin", { SSH_TTY: "/dev/pts/1" }, false],
] as const)("on %s with %o there is a browser: %s", (platform, env, there) => {
  expect(hasBrowser(env, platform)).toBe(there);
});

test("a command is shown as it would be typed", () => {
  expect(typed({ command: "some", args: ["log in", "it's", "--x=1", ""] })).toBe(`some 'log in' 'it'\\''s' --x=1 ''`);
});

test("what it ends with is what comes back, and one that is not there is said", async () => {
  expect(await runInTerminal({ command: process.execPath, args: ["-e", "process.exit(7)"] })).toBe(7);
  await expect(runInTerminal({ command: "/nowhere/at/all", args: [] })).rejects.toMatchObject({
    code: "not_installed",
  });
});

test.each([["SIGTERM"], ["SIGHUP"]] as const)(
  "%s is passed on even when it came while the command was starting",
  async (signal) => {
    const ours = (): void => undefined;
    process.on(signal, ours);
    try {
      // Nothing is read of signals before the next turn of the loop: it waits there while the listeners change.
      process.kill(process.pid, signal);
      const ended = runInTerminal({ command: "/bin/sleep", args: ["20"] });
      expect(await ended).toBe(128 + constants.signals[signal]);
      expect(process.listeners(signal)).toContain(ours);
    } finally {
      process.removeListener(signal, ours);
    }
  },
);
