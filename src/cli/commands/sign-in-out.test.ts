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

test("shows a command as it would be typed", () => {
  expect(typed({ command: "some", args: ["log in", "it's", "--x=1", ""] })).toBe(`some 'log in' 'it'\\''s' --x=1 ''`);
});

test("returns the exit code of the command, and reports a missing program", async () => {
  expect(await runInTerminal({ command: process.execPath, args: ["-e", "process.exit(7)"] })).toBe(7);
  await expect(runInTerminal({ command: "/nowhere/at/all", args: [] })).rejects.toMatchObject({
    code: "not_installed",
  });
});

test.each([["SIGTERM"], ["SIGHUP"]] as const)(
  "passes on %s that arrives while the command is starting",
  async (signal) => {
    const ours = (): void => undefined;
    process.on(signal, ours);
    try {
      // Node delivers a signal only in the next turn of the event loop, so it is pending while the listeners change.
      process.kill(process.pid, signal);
      const ended = runInTerminal({ command: "/bin/sleep", args: ["20"] });
      expect(await ended).toBe(128 + constants.signals[signal]);
      expect(process.listeners(signal)).toContain(ours);
    } finally {
      process.removeListener(signal, ours);
    }
  },
);
