/** A process that ended when it should not have. */
import type { ErrorInfo } from "../../events/errors.ts";
import type { Exit } from "../../process/types.ts";
import { exitErrorOf } from "../shared/exit-error.ts";
import type { ExitWords } from "../shared/exit-error.ts";
import { errorInfoOf } from "./errors.ts";
import { program } from "./program.ts";

const words: ExitWords = {
  name: program.name,
  complaints: [
    [/No API key found|No models available|No model selected/, "not_authenticated"],
    [/Model ".*" not found|is ambiguous across providers|Unknown provider/, "model_unknown"],
    [
      /No session found matching|Cannot fork|session working directory|not a valid session|session file/i,
      "session_not_found",
    ],
    [/^(Error: )?(Unknown option|Invalid|--?\w[\w-]* (requires|cannot))/m, "invalid_input"],
    [/Failed to load extension/, "invalid_input"],
  ],
  info: errorInfoOf,
};

export function exitError(exit: Exit, stderrTail: string, onlyGarbage: boolean): ErrorInfo {
  return exitErrorOf(exit, stderrTail, onlyGarbage, words);
}
