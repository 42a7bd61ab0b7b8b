/** A program in a real terminal: what it writes, and what it costs by the kernel's count. */
import { readFileSync, readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";

export interface InTerminal extends Disposable {
  readonly pid: number;
  write(keys: string): void;
  /** Bytes so far. */
  readonly bytes: number;
  /** CPU of all threads of the program, without its children. */
  cpuMs(): number;
  /** CPU of the main thread: it does not depend on what else the machine does. */
  mainCpuMs(): number;
  /** CPU and memory of the program with all its children that are there now. */
  withChildren(): { readonly cpuMs: number; readonly residentMb: number };
  residentMb(): number;
  /** Resolves with the milliseconds until what it wrote from now on contains the text. */
  until(text: string, mostMs?: number): Promise<number>;
  /** Resolves with the milliseconds until the text is on the screen, or no longer. Only with an emulator. */
  shows(text: string, mostMs?: number, wanted?: boolean): Promise<number>;
  /** Resolves when it has written nothing for so long. */
  quiet(ms: number, mostMs?: number): Promise<void>;
}

export interface Terminal {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Default: this Node. */
  readonly program?: string;
  /** The program needs a terminal that answers its questions, and draws by cells, so that its output has no whole words. */
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
  /** The end of everything that it wrote, for a message: what it said before a wait may tell why nothing comes. */
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
          // It has ended by itself.
        }
    },
  };
}

/** Nanoseconds on a processor are the first number of `schedstat`. */
function threadMs(file: string): number {
  try {
    return Number(readFileSync(file, "utf8").split(" ", 1)[0]) / 1e6;
  } catch {
    // It has ended meanwhile.
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
