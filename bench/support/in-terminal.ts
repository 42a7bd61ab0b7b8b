/** Runs a program in a real terminal and measures its output, and its CPU time and memory as the kernel counts them. */
import { readFileSync, readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";

export interface InTerminal extends Disposable {
  readonly pid: number;
  write(keys: string): void;
  readonly bytes: number;
  /** CPU time of all threads of the program, without its children. */
  cpuMs(): number;
  /** CPU time of the main thread, which does not depend on other load of the machine. */
  mainCpuMs(): number;
  /** CPU time and memory of the program and all its current children. */
  withChildren(): { readonly cpuMs: number; readonly residentMb: number };
  residentMb(): number;
  /** Resolves with the milliseconds until the output from now on contains the text. */
  until(text: string, mostMs?: number): Promise<number>;
  /** Resolves with the milliseconds until the screen shows the text, or no longer shows it. Needs `emulated`. */
  shows(text: string, mostMs?: number, wanted?: boolean): Promise<number>;
  /** Resolves when the program has written nothing for `ms`. */
  quiet(ms: number, mostMs?: number): Promise<void>;
}

export interface Terminal {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Default: this Node. */
  readonly program?: string;
  /**
   * Connects a terminal emulator, for a program that queries its terminal and draws cell by cell, so that its raw output holds no whole
   * words.
   */
  readonly emulated?: boolean;
}

const size = { cols: 120, rows: 40 };

export function inTerminal({ args, env, cwd, program = process.execPath, emulated = false }: Terminal): InTerminal {
  const began = performance.now();
  const pty = spawn(program, [...args], { name: "xterm-256color", ...size, cwd, env: { ...env } });
  const emulator = emulated ? new xterm.Terminal({ ...size, allowProposedApi: true }) : undefined;
  emulator?.onData((reply) => pty.write(reply));
  let bytes = 0;
  let seen = "";
  /** The end of the output, for error messages: it may tell why the awaited text does not come. */
  let said = "";
  const ended = Promise.withResolvers<string>();
  pty.onExit(({ exitCode, signal }) => ended.resolve(signal ? `ended by signal ${signal}` : `ended with ${exitCode}`));
  let wroteAt = began;
  let check = (): void => {};
  let parsed = (): void => {};
  const screen = (): string => {
    const buffer = emulator!.buffer.active;
    const row = (at: number): string => buffer.getLine(buffer.baseY + at)?.translateToString(true) ?? "";
    return Array.from({ length: size.rows }, (_, at) => row(at)).join("\n");
  };
  pty.onData((data) => {
    bytes += Buffer.byteLength(data);
    seen = (seen + data).slice(-100_000);
    said = (said + data).slice(-1_000);
    wroteAt = performance.now();
    emulator?.write(data, () => parsed());
    check();
  });
  let first = true;
  return {
    pid: pty.pid,
    write: (keys) => pty.write(keys),
    get bytes() {
      return bytes;
    },
    cpuMs: () => cpuOf(pty.pid),
    mainCpuMs: () => threadMs(`/proc/${pty.pid}/schedstat`),
    withChildren: () => {
      const all = [pty.pid, ...descendants(pty.pid)];
      return { cpuMs: sum(all.map(cpuOf)), residentMb: sum(all.map(residentOf)) };
    },
    residentMb: () => residentOf(pty.pid),
    until: async (text, mostMs = 60_000) => {
      // The first wait counts from the start of the program.
      const from = first ? began : performance.now();
      if (!first) seen = "";
      first = false;
      const found = Promise.withResolvers<number>();
      check = () => {
        if (seen.includes(text)) found.resolve(performance.now() - from);
      };
      check();
      const late = new AbortController();
      const took = await Promise.race([
        found.promise,
        ended.promise,
        sleep(mostMs, "still runs", { signal: late.signal }).catch(() => "still runs"),
      ]);
      late.abort();
      check = () => {};
      if (typeof took === "number") return took;
      const silentMs = Math.round(performance.now() - wroteAt);
      throw new Error(
        `The terminal did not show ${JSON.stringify(text)}. Its program ${took} and wrote nothing for ${silentMs} ms: ${JSON.stringify(said)}`,
      );
    },
    shows: async (text, mostMs = 20_000, wanted = true) => {
      const from = performance.now();
      const found = Promise.withResolvers<number>();
      parsed = () => {
        if (screen().includes(text) === wanted) found.resolve(performance.now() - from);
      };
      parsed();
      const took = await Promise.race([found.promise, sleep(mostMs, undefined, { ref: false })]);
      parsed = () => {};
      if (took !== undefined) return took;
      throw new Error(`The screen did not show ${JSON.stringify(text)}:\n${screen().trim()}`);
    },
    quiet: async (ms, mostMs = 20_000) => {
      for (const from = performance.now(); performance.now() - from < mostMs; await sleep(50))
        if (performance.now() - Math.max(wroteAt, from) >= ms) return;
    },
    [Symbol.dispose]: () => {
      // A program that was killed can no longer end its children.
      for (const pid of [...descendants(pty.pid), pty.pid])
        try {
          process.kill(pid, "SIGKILL");
        } catch {
          // The process has already ended.
        }
    },
  };
}

/** The first number in `schedstat` is the nanoseconds spent on a processor. */
function threadMs(file: string): number {
  try {
    return Number(readFileSync(file, "utf8").split(" ", 1)[0]) / 1e6;
  } catch {
    // The thread has ended meanwhile.
    return 0;
  }
}

function cpuOf(pid: number): number {
  return sum(names(`/proc/${pid}/task`).map((task) => threadMs(`/proc/${pid}/task/${task}/schedstat`)));
}

function residentOf(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

function descendants(pid: number): number[] {
  return names(`/proc/${pid}/task`).flatMap((task) => {
    try {
      const children = readFileSync(`/proc/${pid}/task/${task}/children`, "utf8")
        .split(" ")
        .filter(Boolean)
        .map(Number);
      return children.flatMap((child) => [child, ...descendants(child)]);
    } catch {
      return [];
    }
  });
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
