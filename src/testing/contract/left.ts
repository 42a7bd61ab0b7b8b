/** What is still running when everything was closed. */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { runVariable } from "../../process/mark.ts";
import type { Launched } from "./types.ts";

const patienceMs = 2_000;

/** Programs of the agent, and on Linux whatever else carries Reins's mark in this home; one line each. */
export async function leftOf(home: string, launched: readonly Launched[]): Promise<readonly string[]> {
  const end = performance.now() + patienceMs;
  for (;;) {
    const running = launched.filter(({ isGone }) => !isGone).map(({ pid }) => `process ${pid}`);
    const left = [...running, ...marked(home)];
    if (left.length === 0 || performance.now() > end) return left;
    await sleep(20);
  }
}

function marked(home: string): string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const variables = read(`/proc/${pid}/environ`).split("\0");
      return variables.includes(`HOME=${home}`) && variables.some((one) => one.startsWith(`${runVariable}=`));
    })
    .map((pid) => `${pid} ${read(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim().slice(0, 200)}`);
}

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
