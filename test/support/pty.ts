/** Runs a program in a real pseudo terminal and reads its screen with the emulator of xterm-port.ts. */
import { spawn } from "@lydell/node-pty";
import { XtermPort, xtermEnv } from "./xterm-port.ts";

export interface PtyOptions {
  readonly columns?: number;
  readonly rows?: number;
  /** The complete environment except for PATH, HOME, TERM and LANG, which have defaults. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** The terminal's answer to a query for its background colour, such as `rgb:ffff/ffff/ffff`. Without it the terminal does not answer. */
  readonly background?: string;
}

export interface Pty extends AsyncDisposable {
  readonly pid: number;
  /** Resolves with the exit code, or 128 plus the signal, when the screen shows all output. */
  readonly exited: Promise<number>;
  readonly terminal: XtermPort;
  type(keys: string): void;
  resize(columns: number, rows: number): Promise<void>;
  /** The rows of the screen as one text, without trailing blanks. */
  screen(): string;
  output(): string;
  /** Waits until the screen contains the text, or matches. */
  shows(words: string | RegExp): Promise<void>;
  hides(words: string | RegExp): Promise<void>;
  /** Resolves with the screen when it fulfils the condition. Fails after a minute, with the last screen. */
  waitFor(condition: (screen: string) => boolean, what?: string): Promise<string>;
  kill(signal: NodeJS.Signals): void;
}

const patienceMs = 60_000;

function has(text: string, words: string | RegExp): boolean {
  return typeof words === "string" ? text.includes(words) : words.test(text);
}

export function openPty([program = "", ...args]: readonly string[], options: PtyOptions = {}): Pty {
  const { columns = 80, rows = 24, env = {}, cwd = process.cwd(), background } = options;
  const child = spawn(program, args, {
    // Sets TERM, whatever is in the environment.
    name: env["TERM"] ?? "xterm-256color",
    cols: columns,
    rows,
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: cwd, ...xtermEnv, LANG: "C.UTF-8", ...env },
  });
  const terminal = new XtermPort({ columns, rows });
  let output = "";
  let isOver = false;
  const changed = new Set<() => void>();
  child.onData((data) => {
    output += data;
    terminal.terminal.write(data, () => {
      for (const listener of changed) listener();
    });
  });
  const reply = (data: string): void => void (isOver || child.write(data));
  terminal.terminal.onData(reply);
  if (background !== undefined)
    terminal.terminal.parser.registerOscHandler(11, (data) => {
      if (data === "?") reply(`\x1b]11;${background}\x1b\\`);
      return data === "?";
    });
  const exited = new Promise<number>((resolve) => {
    child.onExit(({ exitCode, signal }) => {
      isOver = true;
      void terminal.settle().then(() => resolve(signal ? 128 + signal : exitCode));
    });
  });
  const screen = (): string => terminal.screen().join("\n").trimEnd();
  const waitFor: Pty["waitFor"] = (condition, what = "the screen") =>
    new Promise((resolve, reject) => {
      const finish = (): void => {
        clearTimeout(timer);
        changed.delete(check);
      };
      const check = (): void => {
        const text = screen();
        if (!condition(text)) return;
        finish();
        resolve(text);
      };
      const timer = setTimeout(() => {
        finish();
        reject(new Error(`Waited in vain for ${what}:\n${screen()}`));
      }, patienceMs);
      changed.add(check);
      check();
    });
  const kill = (signal: NodeJS.Signals): void => void (isOver || process.kill(child.pid, signal));
  return {
    ...{ pid: child.pid, exited, terminal, screen, waitFor, kill },
    type: (keys) => child.write(keys),
    resize: async (width, height) => {
      await terminal.resize(width, height);
      child.resize(width, height);
    },
    output: () => output,
    shows: async (words) => void (await waitFor((text) => has(text, words), `${words} on the screen`)),
    hides: async (words) => void (await waitFor((text) => !has(text, words), `no ${words} on the screen`)),
    async [Symbol.asyncDispose]() {
      kill("SIGKILL");
      await exited;
    },
  };
}
