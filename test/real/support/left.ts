import { readdirSync, readFileSync } from "node:fs";
import { vi } from "vitest";

const read = (path: string): string => {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
};

/** The living processes that carry Reins's mark and run in this home. */
function marked(home: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const variables = read(`/proc/${pid}/environ`).split("\0");
      return variables.includes(`HOME=${home}`) && variables.some((variable) => variable.startsWith("REINS_RUN="));
    })
    .map((pid) => `${pid} ${read(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim()}`);
}

/** Nothing may be left two seconds after Reins closed. */
export async function expectNothingLeft(home: string): Promise<void> {
  await vi.waitFor(
    () => {
      const left = marked(home);
      if (left.length > 0) throw new Error(`Processes were left running:\n${left.join("\n")}`);
    },
    { timeout: 2_000, interval: 20 },
  );
}
