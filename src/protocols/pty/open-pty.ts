/**
 * Starts a program on a terminal of its own (a PTY). The program is recorded in the ledger, marked, and ended with Reins like every other
 * child.
 */
import { createRequire } from "node:module";
import { constants } from "node:os";
import { ReinsError } from "../../events/errors.ts";
import type { Exit, Processes } from "../../process/types.ts";
import { keepLastOutput } from "./last-output.ts";
import { PtyInput } from "./pty-input.ts";

export interface PtyOptions {
  /** The program, by path or by name on PATH, and its arguments. Never a shell line. */
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The complete environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly columns: number;
  readonly rows: number;
  /** Recorded in the ledger and shown by `reins ps`. */
  readonly agent: string;
  readonly sessionId?: string | undefined;
  /** Receives all output, as bytes. */
  readonly onOutput: (bytes: Buffer) => void;
}

export interface Pty {
  readonly pid: number;
  /** Settles after the last output; never rejects. */
  readonly exited: Promise<Exit>;
  write(bytes: Buffer | string): void;
  /** Bytes that were written and that the program's terminal has not taken: the program does not read. */
  readonly unread: number;
  resize(columns: number, rows: number): void;
  /** Stops reading, which soon blocks a program that keeps writing. */
  pause(): void;
  resume(): void;
  /** Ends the program and everything it started. */
  stop(): Promise<Exit>;
}

/** The parts of node-pty that are used here. Declared by hand because the package is optional. */
interface NodePty {
  spawn(file: string, args: readonly string[], options: Readonly<Record<string, unknown>>): NodePtyTerminal;
}

interface NodePtyTerminal {
  readonly pid: number;
  onData(listener: (bytes: Buffer) => void): unknown;
  onExit(listener: (exit: { exitCode: number; signal?: number }) => void): unknown;
  write(bytes: Buffer | string): void;
  resize(columns: number, rows: number): void;
  pause(): void;
  resume(): void;
  /** The descriptor and the stream of the terminal. Not on Windows. */
  readonly fd?: number | undefined;
  readonly _socket?: { readonly destroyed: boolean } | undefined;
}

/** Clamps the size: a terminal may report 0 columns, and a PTY stores 16 bits. */
export function clampSize(columns: number, rows: number): { readonly columns: number; readonly rows: number } {
  const clamp = (value: number, fallback: number): number =>
    Number.isFinite(value) && value >= 1 ? Math.min(Math.floor(value), 1_000) : fallback;
  return { columns: clamp(columns, 80), rows: clamp(rows, 24) };
}

export async function openPty(processes: Processes, options: PtyOptions): Promise<Pty> {
  const [command = "", ...args] = options.argv;
  if (processes.hold === undefined)
    throw new ReinsError("unsupported", "A replay cannot start a program on a terminal.");
  const nodePty = loadNodePty();
  const { cwd, env, agent, sessionId } = options;
  const size = clampSize(options.columns, options.rows);
  const { started: terminal, child } = await processes.hold(
    { command, args, cwd, env, agent, sessionId },
    (path, marked) => {
      const spawned = nodePty.spawn(path, args, {
        name: marked["TERM"] || "xterm-256color",
        cols: size.columns,
        rows: size.rows,
        cwd,
        env: marked,
        // Bytes, not text, so that the output is passed on exactly.
        encoding: null,
      });
      // In the same tick, because node-pty drops output that has no listener.
      spawned.onData(options.onOutput);
      const exited = new Promise<Exit>((resolve) => spawned.onExit((exit) => resolve(exitOf(exit))));
      return { pid: spawned.pid, exited, started: spawned };
    },
  );
  let ended = false;
  void child.exited.then(() => (ended = true));
  const { fd, _socket: stream } = terminal;
  const isClosed = (): boolean => ended || stream?.destroyed === true;
  const input = fd === undefined || stream === undefined ? undefined : new PtyInput({ fd, isClosed });
  return {
    pid: child.pid,
    exited: child.exited,
    write: (bytes) => void (ended || (input ?? terminal).write(bytes)),
    get unread() {
      return input?.unread ?? 0;
    },
    resize(columns, rows) {
      const next = clampSize(columns, rows);
      try {
        if (!ended) terminal.resize(next.columns, next.rows);
      } catch {
        // The program ended a moment ago, and its terminal is closed.
      }
    },
    pause: () => terminal.pause(),
    resume: () => terminal.resume(),
    stop: () => child.stop(),
  };
}

/** Throws an error that says how to install the optional package when it is missing. */
export function loadNodePty(
  load: (name: string) => unknown = createRequire(import.meta.url) as (name: string) => unknown,
): NodePty {
  try {
    const nodePty = load("@lydell/node-pty") as NodePty;
    return { spawn: (file, args, options) => keepLastOutput(nodePty.spawn(file, args, options)) };
  } catch (cause) {
    throw new ReinsError(
      "unsupported",
      "The optional package @lydell/node-pty, which runs a program on a terminal of its own, is not installed.",
      { help: "Run `npm install @lydell/node-pty` where Reins is installed.", cause },
    );
  }
}

const signalNames = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

function exitOf({ exitCode, signal }: { exitCode: number; signal?: number }): Exit {
  if (!signal) return { code: exitCode, signal: null };
  return { code: null, signal: (signalNames.get(signal) ?? "SIGKILL") as NodeJS.Signals };
}
