import { readdirSync, readFileSync } from "node:fs";
import { vi } from "vitest";

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

/** The living processes that carry Reins's mark and run in this home. */
export function running(home: string): Running[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const variables = read(`/proc/${pid}/environ`).split("\0");
      return variables.includes(`HOME=${home}`) && variables.some((variable) => variable.startsWith("REINS_RUN="));
    })
    .map((pid) => ({ pid: Number(pid), command: read(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim() }));
}

/** Nothing may be left two seconds after Reins closed. */
export async function expectNothingLeft(home: string): Promise<void> {
  await expectNone(home, () => true);
}

/** None of these may be there, at the latest in two seconds. */
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
