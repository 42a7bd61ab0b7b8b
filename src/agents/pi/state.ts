/**
 * The opaque state of a leg: whose it is, in which version of our own, and the file of the conversation. The file and not its id,
 * because pi looks for ids only among the conversations of one folder, and asks on its stdin what to do with others.
 */
import { isAbsolute } from "node:path";
import { ReinsError } from "../../events/errors.ts";

const prefix = "pi:1:";

export function encodeState(file: string): string {
  return prefix + file;
}

/** The conversation's file. Throws `session_not_found` for anything this version did not write. */
export function decodeState(state: string): string {
  const file = state.slice(prefix.length);
  if (state.startsWith(prefix) && isAbsolute(file) && file.endsWith(".jsonl") && !file.includes("\0")) return file;
  const reason = state.startsWith("pi:")
    ? "This state was written by another version of Reins, or is damaged"
    : "This state is not one of pi";
  throw notFound(`${reason}; the session cannot be resumed from it.`);
}

export function notFound(message: string): ReinsError {
  return new ReinsError("session_not_found", message, {
    agent: "pi",
    help: "Start a new session, or resume it with the agent and the version of Reins it came from.",
  });
}
