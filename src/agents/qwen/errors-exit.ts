/** A process that ended in the middle of a turn. */
import type { ErrorInfo } from "../../events/errors.ts";
import type { Exit } from "../../process/types.ts";
import { exitErrorOf } from "../shared/exit-error.ts";
import type { ExitWords } from "../shared/exit-error.ts";
import { errorInfoOf } from "./errors.ts";
import { program } from "./program.ts";

const words: ExitWords = {
  name: program.name,
  complaints: [
    [/No saved session found/, "session_not_found"],
    [/Session Id \S+ is already in use|already in use by another/i, "session_busy"],
    [/No auth type is selected|free tier was discontinued/, "not_authenticated"],
    [/^Unknown arguments?:|^Invalid values:|^Cannot use |Not enough arguments|must be an integer/m, "invalid_input"],
    [/Cannot read operator sandbox policy|Settings file .* invalid|invalid JSON/, "invalid_input"],
    [/Failed to parse stream-json line/, "protocol_error"],
  ],
  // It is shipped without its search program's right to run.
  noise: /^Ripgrep not available/,
  info: errorInfoOf,
};

/** It ends itself with this when the limit on its rounds is reached. */
const turnLimit = 53;

export function reachedTurnLimit(exit: Exit): boolean {
  return exit.code === turnLimit;
}

export function exitError(exit: Exit, stderrTail: string, onlyGarbage: boolean): ErrorInfo {
  return exitErrorOf(exit, stderrTail, onlyGarbage, words);
}
