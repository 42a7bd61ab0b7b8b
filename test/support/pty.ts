/** Runs a program in a real pseudo terminal and reads its screen with the emulator of xterm-port.ts. */
import { spawn } from "@lydell/node-pty";
import { XtermPort } from "./xterm-port.ts";

export interface PtyOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export interface Pty {
  readonly pid: number;
  readonly exit: Promise<{ readonly code: number; readonly signal: number | undefined }>;
  readonly terminal: XtermPort;
  write(data: string): void;
  resize(columns: number, rows: number): Promise<void>;
  screen(): readonly string[];
  /** Everything the program has written. */
  bytes(): string;
  /** Resolves when the screen, as one text, fulfils the condition. Fails by the timeout of the test, with the last screen. */
  waitFor(condition: (screen: string) => boolean, what?: string): Promise<string>;
  kill(signal: NodeJS.Signals): void;
}

const patienceMs = 60_000;

export function openPty([program = "", ...args]: readonly string[], options: PtyOptions = {}): Pty {
  const { columns = 80, rows = 24, env = {}, cwd = process.cwd() } = options;
  const child = spawn(program, args, {
    name: "xterm-256color",
    cols: columns,
    rows,
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: cwd, TERM: "xterm-256color", LANG: "C.UTF-8", ...env },
  });
  const terminal = new XtermPort({ columns, rows });
  let bytes = "";
  const changed = new Set<() => void>();
  child.onData((data) => {
    bytes += data;
    terminal.terminal.write(data, () => {
      for (const listener of changed) listener();
    });
  });
  const exit = new Promise<{ code: number; signal: number | undefined }>((resolve) => {
    child.onExit(({ exitCode, signal }) => resolve({ code: exitCode, signal }));
  });
  return {
    pid: child.pid,
    exit,
    terminal,
    write: (data) => child.write(data),
    resize: async (width, height) => {
      await terminal.resize(width, height);
      child.resize(width, height);
    },
    screen: () => terminal.screen(),
    bytes: () => bytes,
    waitFor: (condition, what = "the screen") =>
      new Promise((resolve, reject) => {
        const finish = (): void => {
          clearTimeout(timer);
          changed.delete(check);
        };
        const check = (): void => {
          const text = terminal.screen().join("\n");
          if (!condition(text)) return;
          finish();
          resolve(text);
        };
        const timer = setTimeout(() => {
          finish();
          reject(new Error(`Waited in vain for ${what}:\n${terminal.screen().join("\n")}`));
        }, patienceMs);
        changed.add(check);
        check();
      }),
    kill: (signal) => child.kill(signal),
  };
}
