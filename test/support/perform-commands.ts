/**
 * Runs several `reins` commands in one process, one after the other: `node perform-commands.ts '[["run", "..."], ...]'` prints the results
 * as JSON. A third argument sets the time that all of them see.
 */
import { exitCodes } from "../../src/cli/exit-codes.ts";
import { perform } from "../../src/cli/program.ts";

export interface Performed {
  readonly command: readonly string[];
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const print = process.stdout.write.bind(process.stdout);
const commands = JSON.parse(process.argv[2]!) as readonly (readonly string[])[];
const now = Number(process.argv[3] ?? Number.NaN);
if (!Number.isNaN(now)) Date.now = () => now;
const all: Performed[] = [];
for (const command of commands) {
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    process[name].write = ((text: string, ...rest: unknown[]) => {
      said[name] += text;
      const done = rest.findLast((one) => typeof one === "function") as (() => void) | undefined;
      done?.();
      return true;
    }) as typeof process.stdout.write;
  const exit = await perform(command, new AbortController().signal);
  all.push({ command, code: typeof exit === "number" ? exit : exitCodes[exit].code, ...said });
}
print(JSON.stringify(all));
