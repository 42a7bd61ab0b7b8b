import { constants } from "node:os";
import type { Exit } from "../../process/types.ts";

/** Returns the exit code as a shell does: 128 plus the signal number if a signal ended the program. */
export function exitCodeOf({ code, signal }: Exit): number {
  return code ?? 128 + (signal === null ? 9 : constants.signals[signal]);
}
