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
    [/No conversation found with session ID/, "session_not_found"],
    [/Session ID \S+ is already in use/, "session_busy"],
    [/Not logged in|Invalid API key|Please run \/login|OAuth token has expired/i, "not_authenticated"],
    [
      /unknown option|is invalid\. Allowed choices|requires --|cannot be used with|must be provided|option .* argument/i,
      "invalid_input",
    ],
    [/^Error: (Invalid|Settings file|MCP config|Session ID|--)/m, "invalid_input"],
    [/Expected message role|Error parsing streaming input/, "protocol_error"],
  ],
  info: errorInfoOf,
};

export function exitError(exit: Exit, stderrTail: string, onlyGarbage: boolean): ErrorInfo {
  return exitErrorOf(exit, stderrTail, onlyGarbage, words);
}
