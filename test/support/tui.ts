/** The terminal interface over a real core with the demo agent, in its own folders, on a terminal emulator. */
import { onTestFinished, vi } from "vitest";
import type { Reins, ReinsOptions } from "../../src/core/api.ts";
import { createReins } from "../../src/core/reins.ts";
import type { FirstSession, TuiHost } from "../../src/tui/app/host.ts";
import { openStore } from "../../src/store/index.ts";
import { runTui, type RunOptions } from "../../src/tui/run.ts";
import { uiSettings, type PartialUiSettings } from "../../src/view/ui-settings.ts";
import { expectByteLaw } from "./byte-law.ts";
import { testFolder } from "./core.ts";
import { XtermPort, xtermEnv } from "./xterm-port.ts";

export interface TuiOptions {
  readonly first?: FirstSession;
  readonly ui?: PartialUiSettings;
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Prepares the folder before the interface opens. */
  readonly prepare?: (cwd: string) => void;
  /** Additional agents, or replacements with the same ids. */
  readonly agents?: ReinsOptions["agents"];
  readonly host?: Partial<TuiHost>;
  /** Further variables of the core, such as the key of a service. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Stores the sessions. */
  readonly keep?: boolean;
  readonly watch?: RunOptions["watch"];
  /** Called when raw mode is entered or left. */
  readonly onRaw?: (on: boolean) => void;
}

/** Keys as a terminal sends them. Esc uses kitty's form: the interface has to wait after the old form, because it may begin a sequence. */
export const keys = {
  enter: "\r",
  escape: "\x1b[27u",
  tab: "\t",
  shiftTab: "\x1b[Z",
  up: "\x1b[A",
  down: "\x1b[B",
  pageUp: "\x1b[5~",
  ctrl: (letter: string): string => String.fromCharCode(letter.charCodeAt(0) - 96),
} as const;

export interface Tui {
  readonly port: XtermPort;
  readonly cwd: string;
  readonly reins: Reins;
  /** Prompts that were added to the history. */
  readonly history: readonly string[];
  readonly ended: Promise<void>;
  readonly hasEnded: () => boolean;
  type(data: string): void;
  send(prompt: string): void;
  screen(): string;
  /** Waits until the screen contains the text, or matches. */
  shows(words: string | RegExp): Promise<void>;
  hides(words: string | RegExp): Promise<void>;
}

function has(text: string, words: string | RegExp): boolean {
  return typeof words === "string" ? text.includes(words) : words.test(text);
}

export function openTui({
  first = { agent: "demo" },
  ui = {},
  columns = 80,
  rows = 24,
  env = {},
  prepare,
  agents,
  host: replaced = {},
  variables = {},
  cwd = testFolder(),
  keep = false,
  watch,
  onRaw = () => {},
}: TuiOptions = {}): Tui {
  const home = testFolder();
  prepare?.(cwd);
  const port = new XtermPort({ columns, rows });
  port.setRaw = onRaw;
  // This PATH has no agent, but git and the programs that the demo agent's `run` needs.
  const store = keep ? openStore({ folder: home }) : undefined;
  const coreEnv = { PATH: "/usr/bin:/bin", HOME: home, REINS_HOME: home, ...variables };
  const reins = createReins({ env: coreEnv, guardian: false, store, agents });
  const ending = new AbortController();
  const history: string[] = [];
  const host: TuiHost = {
    ...{ cwd, home, first, version: "1.2.3", env: { ...xtermEnv, ...env } },
    platform: { os: "Test", shell: "sh" },
    settings: uiSettings({ theme: "dark", ...ui }),
    open: async () => ({ reins, served: false }),
    listFiles: async function* () {},
    runShell: async (command) => ({ output: `ran ${command}`, exitCode: 0 }),
    runProgram: async () => 0,
    editText: async () => undefined,
    loadHistory: async () => [],
    addHistory: (text) => void history.push(text),
    saveSetting: async () => undefined,
    saveFile: async (name) => name,
    fileExists: () => false,
    readFile: async () => undefined,
    now: Date.now,
    ...replaced,
  };
  let over = false;
  const ended = runTui({ port, watch, ending: ending.signal, makeHost: () => host }).finally(() => (over = true));
  onTestFinished(async () => {
    // After the end the last turn is printed as plain text.
    if (!over) expectByteLaw(port);
    ending.abort();
    await ended;
    await reins.close();
    store?.close();
  });
  const screen = (): string => port.screen().join("\n");
  const wait = (is: boolean, words: string | RegExp): Promise<void> =>
    vi.waitFor(
      async () => {
        await port.settle();
        if (has(screen(), words) !== is)
          throw new Error(`${is ? "Not" : "Still"} on the screen: ${words}\n${screen()}`);
      },
      { timeout: 60_000, interval: 20 },
    );
  return {
    ...{ port, cwd, reins, history, ended, screen },
    hasEnded: () => over,
    type: (data) => port.type(data),
    send: (prompt) => port.type(`${prompt}${keys.enter}`),
    shows: (words) => wait(true, words),
    hides: (words) => wait(false, words),
  };
}
