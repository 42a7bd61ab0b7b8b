/** The opaque state of a leg: whose it is, in which version of our own, and the conversation's id. */
import { ReinsError } from "../../events/errors.ts";

const prefix = "native:1:";
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function encodeState(conversationId: string): string {
  return prefix + conversationId;
}

/** The conversation's id. Throws `session_not_found` for anything this version did not write. */
export function decodeState(state: string): string {
  if (state.startsWith(prefix) && uuid.test(state.slice(prefix.length))) return state.slice(prefix.length);
  const reason = state.startsWith("native:")
    ? "This state was written by another version of Reins, or is damaged"
    : "This state is not one of this agent";
  throw notFound(`${reason}; the session cannot be resumed from it.`);
}

export function notFound(message: string): ReinsError {
  return new ReinsError("session_not_found", message, {
    agent: "native",
    help: "Start a new session, or resume it where it was begun.",
  });
}
