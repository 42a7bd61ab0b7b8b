import { exitOf, watchEnding } from "./ending.ts";
import { exitCodes } from "./exit-codes.ts";
import { perform } from "./program.ts";

/** The `reins` command. Each command's own file, and all it needs, is loaded when it is the one to run. */
export async function main(argv: readonly string[]): Promise<void> {
  const ending = watchEnding();
  process.exitCode = exitCodes[exitOf(ending, await perform(argv, ending))].code;
}
