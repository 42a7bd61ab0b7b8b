import type { RunOptions } from "./run.ts";
import { run } from "./run.ts";
import type { Exit } from "./exit-codes.ts";

export type GoOnOptions = Pick<RunOptions, "mode" | "model" | "fallback" | "allowUnenforced" | "json">;

/** `reins resume`: the next prompt of a session that is kept. */
export function resume(
  name: string | undefined,
  words: readonly string[],
  options: GoOnOptions,
  ending: AbortSignal,
): Promise<Exit> {
  if (name === undefined) return run(words, { ...options, resume: "last" }, ending);
  // What names no session is the beginning of a prompt for the last one.
  if (!/^(?:ses_\S*$|last$|[\w-]+:\d+:|[0-9a-f-]{8,}$)/i.test(name))
    return run([name, ...words], { ...options, resume: "last" }, ending);
  return run(words, { ...options, resume: name }, ending);
}
