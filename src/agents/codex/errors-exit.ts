/** A process that ended before it answered, or in the middle of a turn. */
import type { ErrorInfo } from "../../events/errors.ts";
import type { Exit } from "../../process/types.ts";
import { exitErrorOf } from "../shared/exit-error.ts";
import type { ExitWords } from "../shared/exit-error.ts";
import { errorInfoOf } from "./errors.ts";
import { program } from "./program.ts";

/** It knows no app server: older ones take the word for a prompt to their screen, and have none. */
const serverless = /unrecognized subcommand|stdin is not a terminal|stdout is not a terminal/;

const words: ExitWords = {
  name: program.name,
  complaints: [
    [serverless, "version_unsupported"],
    [/no rollout found for thread id/, "session_not_found"],
    [/CODEX_HOME points to/, "invalid_input"],
    [/Error loading config(uration|\.toml)|unexpected argument|invalid value/, "invalid_input"],
    [/Not inside a trusted directory/, "invalid_input"],
    [/Not logged in|Missing environment variable/, "not_authenticated"],
  ],
  // Said at every start.
  noise: /could not create PATH aliases|bubblewrap|Reading additional input from stdin|Reading prompt from stdin/,
  info: errorInfoOf,
};

export function exitError(exit: Exit, stderrTail: string, onlyGarbage: boolean): ErrorInfo {
  return exitErrorOf(exit, stderrTail, onlyGarbage, words);
}

export function isServerless(stderrTail: string): boolean {
  return serverless.test(stderrTail);
}
