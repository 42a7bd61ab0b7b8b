import { isAbsolute, resolve } from "node:path";
import { ReinsError } from "../../events/errors.ts";

/** Throws a ReinsError if the current folder was removed. */
export function currentFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new ReinsError("invalid_input", "The current folder no longer exists.", {
      help: "Change to an existing folder first.",
      cause,
    });
  }
}

export function absolutePath(path: string): string {
  return isAbsolute(path) ? resolve(path) : resolve(currentFolder(), path);
}
