/** A process that ended without a result: why, as far as its exit and its stderr tell. */
import type { ErrorCode, ErrorInfo } from "../../events/errors.ts";
import type { Exit } from "../../process/types.ts";
import { exitErrorOf } from "../shared/exit-error.ts";
import { infoOf } from "./one-shot-translate.ts";
import { program, signInHelp } from "./program.ts";

const complaints: readonly (readonly [RegExp, ErrorCode])[] = [
  [/No session, task, or name matched/, "session_not_found"],
  [/No authentication information found|Authentication required/, "not_authenticated"],
  [/Offline mode requires a local model provider/, "not_authenticated"],
  [/unexpected argument|a value is required|invalid value|unknown option/, "invalid_input"],
];

export function exitError(exit: Exit, stderrTail: string): ErrorInfo {
  return exitErrorOf(exit, stderrTail, false, {
    name: program.name,
    complaints,
    // Every first run of a version unpacks it.
    noise: /^Package extraction took/,
    info: (code, message, { help } = {}) =>
      infoOf({ code, message, help: help ?? (code === "not_authenticated" ? signInHelp : undefined) }),
  });
}
