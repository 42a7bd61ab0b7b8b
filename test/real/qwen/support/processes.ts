import { expect } from "vitest";
import { agentProcesses, running, type Running } from "../../support/left.ts";

/** Qwen Code is two processes: a launcher and the program. */
export function agentPid(home: string): number {
  return agentProcesses(home, 2).at(-1)!;
}

/** True for the command of the scenario `long-shell`. */
export const isLongShell = ({ command }: Running): boolean => command.startsWith("tail -f /dev/null");

/** Resolves when this many of them run. */
export async function longShellRuns(home: string, count = 1): Promise<void> {
  await expect.poll(() => running(home).filter(isLongShell).length, { timeout: 10_000, interval: 20 }).toBe(count);
}
