import { describe, expect, onTestFinished, test } from "vitest";
import { openPty, type Pty } from "../../../test/support/pty.ts";

const program = new URL("../../../test/support/screen-program.ts", import.meta.url).pathname;

/** A shell with job control that starts the program. */
function startShell(kind: "full" | "inline"): Pty {
  const pty = openPty(["/bin/bash", "--norc", "--noprofile", "-i"], { env: { PS1: "shell$ " } });
  onTestFinished(() => pty.kill("SIGKILL"));
  pty.type(`'${process.execPath}' '${program}' ${kind}\r`);
  return pty;
}

async function running(pty: Pty): Promise<number> {
  const isReady = (): boolean => pty.output().includes("\x1b]2;ready");
  const shows = (text: string): boolean => /pid=\d+\./.test(text) && text.includes("\nstatus") && isReady();
  const screen = await pty.waitFor(shows, "the program");
  return Number(/pid=(\d+)\./.exec(screen)?.[1]);
}

/** After a kill -9 the shell may be faster than the watcher, which then removes the shell's prompt from the screen. */
async function promptAgain(pty: Pty): Promise<void> {
  const isMain = (): boolean => pty.terminal.terminal.buffer.active.type === "normal";
  await pty.waitFor(() => pty.output().includes("\x1b[<u") && isMain(), "the watcher");
  pty.type("\r");
}

/** The terminal is usable: modes are off, and the shell reads, echoes and runs a line. */
async function checkRestored(pty: Pty): Promise<void> {
  await pty.waitFor((text) => text.trimEnd().endsWith("shell$"), "the prompt");
  // The watcher checks the modes a moment after the end.
  await new Promise((resolve) => setTimeout(resolve, 300));
  pty.type("stty -a | tr ' ;' '\\n\\n' | grep -x -e '-*isig' -e '-*icanon' -e '-*echo' | xargs echo modes\r");
  await pty.waitFor((text) => /^modes isig icanon echo$/m.test(text), "cooked mode");
  const { buffer, modes } = pty.terminal.terminal;
  expect(buffer.active.type).toBe("normal");
  expect(modes).toMatchObject({
    bracketedPasteMode: expect.anything(),
    mouseTrackingMode: "none",
    sendFocusMode: false,
  });
  expect(pty.output().lastIndexOf("\x1b[?25h")).toBeGreaterThan(pty.output().lastIndexOf("\x1b[?25l"));
  expect(pty.output().split("\x1b[<u").length).toBe(pty.output().split("\x1b[>5u").length);
}

describe.each(["full", "inline"] as const)("%s screen", (kind) => {
  test.each(["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGKILL"] as const)(
    "restores the terminal after %s",
    async (signal) => {
      const pty = startShell(kind);
      const pid = await running(pty);
      process.kill(pid, signal);
      if (signal === "SIGKILL") await promptAgain(pty);
      await checkRestored(pty);
    },
  );

  // A script restores no modes, as an interactive shell does.
  test("restores the terminal of a script after a kill -9 right after raw mode is entered", async () => {
    const script = `'${process.execPath}' '${program}' ${kind} killed; while sleep 0.2; do stty -a; done`;
    const pty = openPty(["/bin/sh", "-c", script]);
    onTestFinished(() => pty.kill("SIGKILL"));
    await pty.waitFor(() => /\sisig icanon iexten echo\s/.test(pty.output()), "cooked mode");
    expect(pty.output()).not.toContain("\x1b[?1049h");
  });

  test.each([
    ["a normal end", "\x04"],
    ["an uncaught error", "\x05"],
  ])("restores the terminal after %s", async (_, key) => {
    const pty = startShell(kind);
    await running(pty);
    pty.type(key);
    await checkRestored(pty);
  });

  test("gives the terminal to the shell on Ctrl-Z, and redraws on fg", async () => {
    const pty = startShell(kind);
    await running(pty);
    pty.type("\x1a");
    await pty.waitFor((text) => text.includes("Stopped"), "the shell's word");
    pty.type("clear; fg\r");
    await running(pty);
    pty.type("abc");
    await pty.waitFor((text) => text.includes("> abc"), "typed text");
    pty.type("\x04");
    await checkRestored(pty);
  });
});
