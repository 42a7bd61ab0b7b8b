import { exitOf, watchEnding } from "./ending.ts";
import { exitCodes } from "./exit-codes.ts";
import { perform } from "./program.ts";

/** The `reins` command. Each command's own file, and all it needs, is loaded when it is the one to run. */
export async function main(argv: readonly string[]): Promise<void> {
  const ending = watchEnding();
  const exit = await perform(argv, ending);
  // A read that nobody waits for any more would keep the process alive.
  if (ending.aborted) process.stdin.destroy();
  process.exitCode = exitCodes[exitOf(ending, exit)].code;
}
