/** A server that ended, or never began: why, as far as its exit and its stderr tell. */
import type { ErrorInfo } from "../../events/errors.ts";
import type { Exit } from "../../process/types.ts";
import { exitErrorOf } from "../shared/exit-error.ts";
import { errorInfoOf } from "./errors.ts";

const complaints = [
  [/^Error: Config(?:uration)? .*invalid|ConfigInvalidError|ConfigJsonError/im, "invalid_input"],
  [/Unknown argument|Unknown command/i, "version_unsupported"],
] as const;

export function exitError(exit: Exit, stderrTail: string): ErrorInfo {
  return exitErrorOf(exit, stderrTail, false, {
    name: "OpenCode",
    complaints,
    info: errorInfoOf,
  });
}
