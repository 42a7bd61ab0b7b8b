import { exitOf, watchEnding } from "./signals.ts";
import { exitCodes } from "./exit-codes.ts";
import { help } from "./commands/help.ts";

/** The `reins` command. Loads only what the given command needs. */
export async function main(argv: readonly string[]): Promise<void> {
  const ending = watchEnding();
  const atTerminal = argv.length === 0 && process.stdin.isTTY && process.stdout.isTTY;
  if (!atTerminal && argv.every((word) => ["help", "--help", "-h"].includes(word))) {
    process.stdout.write(help);
    return;
  }
  const [first, ...rest] = argv;
  const { perform } = await import("./program.ts");
  // `reins` alone, and `reins --inline`: the terminal interface.
  const opensTui = first === undefined || first.startsWith("-");
  const words = opensTui ? ["tui", ...argv] : first === "help" ? [...rest, "--help"] : argv;
  const ended = exitOf(ending, await perform(words, ending));
  process.exitCode = typeof ended === "number" ? ended : exitCodes[ended].code;
  // Exit at once, unless a slow reader still has output to take: an open read would keep the process.
  if (process.stdout.writableLength + process.stderr.writableLength === 0) process.exit();
  if (ending.aborted) process.stdin.destroy();
}
