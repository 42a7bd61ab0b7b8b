import { constants } from "node:os";
import type { Exit } from "../../process/types.ts";

/** As a shell tells it: 128 and the number of the signal where one ended the program. */
export function exitCodeOf({ code, signal }: Exit): number {
  return code ?? 128 + (signal === null ? 9 : constants.signals[signal]);
}
