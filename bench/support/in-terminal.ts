/** A program in a real terminal: what it writes, and what it costs by the kernel's count. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { spawn } from "@lydell/node-pty";

/** Kernel ticks are hundredths of a second on every Linux. */
const tickMs = 10;

export interface InTerminal extends Disposable {
  readonly pid: number;
  write(keys: string): void;
  /** Bytes so far. */
  readonly bytes: number;
  /** CPU of the program alone, without its children. */
  cpuMs(): number;
  residentMb(): number;
  /** Resolves with the milliseconds until what it wrote from now on contains the text. */
  until(text: string, mostMs?: number): Promise<number>;
}

export function inTerminal(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): InTerminal {
  const began = performance.now();
  const pty = spawn(process.execPath, [...args], { name: "xterm-256color", cols: 120, rows: 40, cwd, env: { ...env } });
  let bytes = 0;
  let seen = "";
  let check = (): void => {};
  pty.onData((data) => {
    bytes += Buffer.byteLength(data);
    seen = (seen + data).slice(-100_000);
    check();
  });
  const file = (name: string): string => readFileSync(`/proc/${pty.pid}/${name}`, "utf8");
  let first = true;
  return {
    pid: pty.pid,
    write: (keys) => pty.write(keys),
    get bytes() {
      return bytes;
    },
    cpuMs: () => {
      const fields = file("stat").split(") ")[1]!.split(" ");
      return (Number(fields[11]) + Number(fields[12])) * tickMs;
    },
    residentMb: () => Number(/VmRSS:\s+(\d+)/.exec(file("status"))![1]) / 1024,
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
        sleep(mostMs, undefined, { signal: late.signal }).catch(() => undefined),
      ]);
      late.abort();
      check = () => {};
      if (took === undefined)
        throw new Error(`The terminal did not show ${JSON.stringify(text)}: ${JSON.stringify(seen.slice(-600))}`);
      return took;
    },
    [Symbol.dispose]: () => pty.kill("SIGKILL"),
  };
}
