/**
 * The opaque state of a leg: whose it is, in which version of our own, and the file of the conversation, seen from pi's own folder.
 * The file and not its id, because pi looks for ids only among the conversations of one workspace, and asks on its stdin what to
 * do with others.
 */
import { isAbsolute, join, relative, resolve } from "node:path";
import { ReinsError } from "../../events/errors.ts";
import { isOutside } from "../shared/real-path.ts";

const prefix = "pi:1:";

/** Where pi keeps its things. */
export function piFolder(env: Readonly<Record<string, string | undefined>>, home: string): string {
  return env["PI_CODING_AGENT_DIR"] || join(home, ".pi", "agent");
}

export function encodeState(file: string, folder: string): string {
  const way = relative(folder, file);
  return prefix + (isOutside(way) ? file : way);
}

/** The conversation's file. Throws `session_not_found` for anything this version did not write. */
export function decodeState(state: string, folder: string): string {
  const file = state.slice(prefix.length);
  const isFile = file.endsWith(".jsonl") && !file.includes("\0");
  const isInside = !isOutside(relative(folder, resolve(folder, file)));
  if (state.startsWith(prefix) && isFile && (isInside || isAbsolute(file))) return resolve(folder, file);
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
