/** However the interface ends, the shell gets its terminal back: cooked, on the main screen, with every mode off. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { bin } from "../support/command.ts";
import { isAlive, until } from "../support/processes.ts";
import { openPty, type Pty } from "../support/pty.ts";
import { bareEnv, keys, newPlace } from "./support/interface.ts";

const prompt = "shell$ ";

interface InShell {
  readonly shell: Pty;
  readonly pid: number;
}

/** A shell with job control that runs `reins`. Its own line editor sets no modes, so any mode that is on was left by the interface. */
async function startInShell(screen: "--full" | "--inline"): Promise<InShell> {
  const place = newPlace();
  // Throws an unexpected error at a time that the test chooses.
  const thrower = join(place.home, "thrower.mjs");
  writeFileSync(thrower, 'process.on("SIGUSR2", () => { throw new Error("thrown on purpose"); });');
  const shell = openPty(["/bin/bash", "--norc", "--noprofile", "--noediting", "-i"], {
    ...{ cwd: place.cwd, columns: 160, rows: 24 },
    env: { ...place.env, ...bareEnv, PS1: prompt, NODE_OPTIONS: `--import ${thrower}` },
  });
  onTestFinished(() => shell[Symbol.asyncDispose]());
  await shell.shows(prompt.trim());
  shell.type(`'${process.execPath}' '${bin}' tui -a demo ${screen} & echo "pid=$!."; fg\r`);
  await shell.waitFor(() => /pid=\d+\./.test(shell.output()), "the process");
  await shell.shows(/Demo.* · ask/);
  return { shell, pid: Number(/pid=(\d+)\./.exec(shell.output())![1]) };
}

/** Terminal modes that a program turned on and did not turn off, in the order of its output. */
function leftOn(written: string): readonly string[] {
  const on = new Set<string>();
  for (const [, numbers = "", what] of written.matchAll(/\x1b\[\?([\d;]+)([hl])/g))
    for (const number of numbers.split(";")) on[what === "h" ? "add" : "delete"](number);
  // The cursor and autowrap are on by default.
  return [...on].filter((mode) => !["7", "25"].includes(mode));
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

const askModes =
  "stty -a | tr ' ;' '\\n\\n' | grep -x -e '-*isig' -e '-*icanon' -e '-*echo' -e '-*icrnl' | sort | xargs echo modes";

async function expectRestored({ shell, pid }: InShell): Promise<void> {
  await until(() => !isAlive(pid), "the end of the interface");
  // After a kill -9 the shell may have printed its prompt on the remaining screen.
  await shell.waitFor(() => shell.output().includes(prompt, shell.output().lastIndexOf("fg")), "the prompt");
  // After a kill -9 the watcher may repair the terminal after the shell has printed its prompt.
  await expect
    .poll(async () => {
      const answers = (): readonly string[] =>
        shell.output().match(/modes (?:-?(?:echo|icanon|icrnl|isig) ?){4}/g) ?? [];
      const before = answers().length;
      // The terminal's reply to the last frame may be in the shell's input: end it with a line feed, which also ends a line in raw mode.
      await shell.terminal.settle();
      shell.type(`\n${askModes}\n`);
      await shell.waitFor(() => answers().length > before, "the modes");
      return answers().at(-1);
    })
    .toBe("modes echo icanon icrnl isig");
  const { buffer, modes } = shell.terminal.terminal;
  const written = shell.output();
  expect(buffer.active.type).toBe("normal");
  expect(modes).toMatchObject({ bracketedPasteMode: false, mouseTrackingMode: "none", sendFocusMode: false });
  expect(leftOn(written)).toEqual([]);
  expect(written.lastIndexOf("\x1b[?25h")).toBeGreaterThan(written.lastIndexOf("\x1b[?25l"));
  expect(written.lastIndexOf("\x1b[?7h")).toBeGreaterThanOrEqual(written.lastIndexOf("\x1b[?7l"));
  // Every entry of the kitty keyboard stack was removed.
  expect(count(written, "\x1b[<u")).toBe(count(written, "\x1b[>5u"));
  shell.type("echo still-$((40 + 2))\r");
  await shell.shows("still-42");
}

describe.each(["--full", "--inline"] as const)("reins %s restores the terminal", (screen) => {
  test.each(["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"] as const)("after %s", async (signal) => {
    const started = await startInShell(screen);
    process.kill(started.pid, signal);
    await expectRestored(started);
  });

  test("after quitting in a running turn, with a confirmation", async () => {
    const started = await startInShell(screen);
    const { shell } = started;
    shell.type("sleep 600000");
    await shell.shows("sleep 600000");
    shell.type(keys.enter);
    await shell.shows("Esc Esc stops");
    shell.type(keys.ctrl("c") + keys.ctrl("c"));
    await shell.shows("Quit and stop running sessions?");
    shell.type("y");
    await expectRestored(started);
  });

  test("on Ctrl-Z, and fg draws the same screen again", async () => {
    const started = await startInShell(screen);
    const { shell } = started;
    shell.type("a draft");
    await shell.shows("❯ a draft");
    shell.type(keys.ctrl("z"));
    await shell.shows("Stopped");
    expect(leftOn(shell.output())).toEqual([]);
    shell.type("clear; echo in-the-$((1 + 1))-shell\r");
    await shell.shows("in-the-2-shell");
    shell.type("fg\r");
    await shell.shows("❯ a draft");
    shell.type(" goes on");
    await shell.shows("❯ a draft goes on");
    shell.type(keys.ctrl("c") + keys.ctrl("c"));
    await expectRestored(started);
  });
});

test("restores the terminal after an uncaught error, which is printed", async () => {
  const started = await startInShell("--full");
  process.kill(started.pid, "SIGUSR2");
  await expectRestored(started);
  expect(started.shell.output()).toContain("thrown on purpose");
});
