import { exitOf, watchEnding } from "./signals.ts";
import { exitCodes, type Exit } from "./exit-codes.ts";
import { help } from "./commands/help.ts";

/** The `reins` command. Loads only what the given command needs. */
export async function main(argv: readonly string[]): Promise<void> {
  const ending = watchEnding();
  const atTerminal = argv.length === 0 && process.stdin.isTTY && process.stdout.isTTY;
  if (!atTerminal && argv.every((word) => ["help", "--help", "-h"].includes(word))) {
    process.stdout.write(help);
    return;
  }
  const ended = exitOf(ending, atTerminal ? await openAlone(ending) : await performWords(argv, ending));
  process.exitCode = typeof ended === "number" ? ended : exitCodes[ended].code;
  // Exit at once, unless a slow reader still has output to take: an open read would keep the process alive.
  if (process.stdout.writableLength + process.stderr.writableLength === 0) process.exit();
  if (ending.aborted) process.stdin.destroy();
}

async function performWords(argv: readonly string[], ending: AbortSignal): Promise<Exit | number> {
  const { perform } = await import("./program.ts");
  const [first, ...rest] = argv;
  // `reins --inline` is an option of the terminal interface.
  const opensTui = first === undefined || first.startsWith("-");
  return perform(opensTui ? ["tui", ...argv] : first === "help" ? [...rest, "--help"] : argv, ending);
}

/** `reins` alone opens the terminal interface. Without options the parser of command lines is not loaded: its 8 ms would delay the first frame. */
async function openAlone(ending: AbortSignal): Promise<Exit | number> {
  const { openTui } = await import("./open-tui.ts");
  try {
    return await openTui({}, ending);
  } catch (error) {
    if (ending.aborted) return "done";
    const { reportFailure } = await import("./failure.ts");
    return reportFailure(error);
  }
}
