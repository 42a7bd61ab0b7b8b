import { readdirSync, readFileSync } from "node:fs";
import { expect, vi } from "vitest";

export interface Running {
  readonly pid: number;
  readonly command: string;
}

const read = (path: string): string => {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
};

/** The running processes with Reins's mark in this home. */
export function running(home: string): Running[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const variables = read(`/proc/${pid}/environ`).split("\0");
      return variables.includes(`HOME=${home}`) && variables.some((variable) => variable.startsWith("REINS_RUN="));
    })
    .map((pid) => ({ pid: Number(pid), command: read(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim() }));
}

const parentOf = (pid: number): number => Number(/^PPid:\s*(\d+)$/m.exec(read(`/proc/${pid}/status`))?.[1]);

/**
 * The agent's own processes, by their command line: the one that Reins started and, for an agent of several processes, its child and so on.
 * Between fork and exec a child has its parent's command line, so only the first `count` are taken.
 */
export function agentProcesses(home: string, count: number): number[] {
  const found = running(home).filter(({ command }) => command.includes("--input-format stream-json"));
  const pids = found.map(({ pid }) => pid);
  const [first, ...more] = pids.filter((pid) => !pids.includes(parentOf(pid)));
  expect(more).toEqual([]);
  const chain = [first!];
  while (chain.length < count) {
    const [next, ...others] = pids.filter((pid) => parentOf(pid) === chain.at(-1));
    expect([next, others]).toEqual([expect.any(Number), []]);
    chain.push(next!);
  }
  return chain;
}

/** Fails when a process is left two seconds after Reins was closed. */
export async function expectNothingLeft(home: string): Promise<void> {
  await expectNone(home, () => true);
}

/** Fails when such a process is still there after two seconds. */
export async function expectNone(home: string, which: (process: Running) => boolean): Promise<void> {
  await vi.waitFor(
    () => {
      const left = running(home).filter(which);
      const lines = left.map(({ pid, command }) => `${pid} ${command}`);
      if (left.length > 0) throw new Error(`Processes were left running:\n${lines.join("\n")}`);
    },
    { timeout: 2_000, interval: 20 },
  );
}
