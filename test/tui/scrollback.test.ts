/** The inline screen leaves every message once and in order in the scrollback of a real terminal, however it is resized. */
import { expect, test } from "vitest";
import { bin, Place } from "../support/command.ts";
import { openTerminal } from "../support/terminal.ts";
import { Tmux } from "./support/tmux.ts";

const turns = 20;
const messagesPerTurn = 10;

function message(number: number): string {
  return `message ${number} ${"words of it ".repeat(number % 17)}end ${number}.`;
}

function promptOf(turn: number): string {
  const numbers = Array.from({ length: messagesPerTurn }, (_, at) => turn * messagesPerTurn + at);
  return numbers.map((number) => `say "${message(number)}"`).join("; ");
}

/** Ten sizes, each at least half of the one before. */
const sizes = [
  ...[
    [60, 20],
    [100, 30],
    [52, 30],
    [53, 16],
    [90, 16],
  ],
  ...[
    [120, 40],
    [61, 21],
    [40, 24],
    [79, 12],
    [80, 24],
  ],
] as const;

interface Person {
  readonly type: (keys: string) => void;
  readonly resize: (columns: number, rows: number) => Promise<void> | void;
  /** All lines from the start of the scrollback; wrapped rows are joined. */
  readonly lines: () => readonly string[] | Promise<readonly string[]>;
}

async function converse({ type, resize, lines }: Person): Promise<void> {
  const matching = async (pattern: RegExp) => (await lines()).filter((line) => pattern.test(line));
  const prompt = /What should the agent do\?/;
  await expect.poll(() => matching(prompt)).toHaveLength(1);
  for (let turn = 0; turn < turns; turn++) {
    type(`\x1b[200~${promptOf(turn)}\x1b[201~`);
    type("\r");
    // Resize during a turn, and between two turns.
    const size = turn % 2 === 0 ? sizes[turn / 2] : undefined;
    if (size !== undefined && turn % 4 === 0) await resize(size[0], size[1]);
    await expect.poll(() => matching(new RegExp(`^message ${(turn + 1) * messagesPerTurn - 1} `))).toHaveLength(1);
    await expect.poll(() => matching(prompt)).toHaveLength(1);
    if (size !== undefined && turn % 4 === 2) await resize(size[0], size[1]);
  }
  const all = Array.from({ length: turns * messagesPerTurn }, (_, number) => message(number));
  await expect.poll(() => matching(/^message /)).toEqual(all);
  await expect.poll(() => matching(/ · ask {2,}/)).toHaveLength(1);
  await expect.poll(() => matching(prompt)).toHaveLength(1);
}

const args = ["--inline", "-a", "demo"];

test("keeps every message once in the scrollback of tmux", async () => {
  using place = new Place();
  using tmux = new Tmux({ cwd: place.cwd, env: place.env });
  await tmux.shows("shell$");
  tmux.run("set-option", "-g", "history-limit", "50000");
  tmux.type(`'${process.execPath}' '${bin}' ${args.join(" ")}`);
  tmux.press("Enter");
  await converse({
    type: (keys) => (keys === "\r" ? tmux.press("Enter") : tmux.type(keys)),
    resize: (columns, rows) => tmux.resize(columns, rows),
    lines: () =>
      tmux
        .history()
        .split("\n")
        .map((line) => line.trimEnd()),
  });
});

test("keeps every message once in the scrollback of xterm.js", async () => {
  using place = new Place();
  await using terminal = openTerminal(place, args);
  await converse({
    type: (keys) => terminal.type(keys),
    resize: (columns, rows) => terminal.resize(columns, rows),
    lines: async () => {
      await terminal.terminal.settle();
      return terminal.terminal.lines().map((line) => line.trimEnd());
    },
  });
  expect(terminal.output()).not.toContain("\x1b[3J");
  expect(terminal.output()).not.toContain("\x1b[2J");
});
