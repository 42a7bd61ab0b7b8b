import { exitOf, watchEnding } from "./signals.ts";
import { exitCodes } from "./exit-codes.ts";
import { help } from "./commands/help.ts";

/** The `reins` command. Whatever is not needed for the command at hand is not loaded: help comes in a blink. */
export async function main(argv: readonly string[]): Promise<void> {
  const ending = watchEnding();
  if (argv.every((word) => ["help", "--help", "-h"].includes(word))) {
    process.stdout.write(help);
    return;
  }
  const [first, ...rest] = argv;
  const { perform } = await import("./program.ts");
  const exit = await perform(first === "help" ? [...rest, "--help"] : argv, ending);
  process.exitCode = exitCodes[exitOf(ending, exit)].code;
  // At once: taking everything down takes longer, and a read that nobody waits for would keep the process. Only what a slow reader has not taken yet is waited for.
  if (process.stdout.writableLength + process.stderr.writableLength === 0) process.exit();
  if (ending.aborted) process.stdin.destroy();
}
