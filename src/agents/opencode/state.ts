/** The opaque state of a leg: whose it is, in which version of our own, and OpenCode's id of the conversation. */
import { ReinsError } from "../../events/errors.ts";

const prefix = "opencode:1:";
const sessionId = /^ses_[A-Za-z0-9]{1,64}$/;

export function encodeState(conversation: string): string {
  return prefix + conversation;
}

/** The conversation's id. Throws `session_not_found` for anything this version did not write. */
export function decodeState(state: string): string {
  const id = state.startsWith(prefix) ? state.slice(prefix.length) : "";
  if (sessionId.test(id)) return id;
  const reason = state.startsWith("opencode:")
    ? "This state was written by another version of Reins, or is damaged"
    : "This state is not one of OpenCode";
  throw new ReinsError("session_not_found", `${reason}; the session cannot be resumed from it.`, {
    agent: "opencode",
    help: "Start a new session, or resume it with the agent and the version of Reins it came from.",
  });
}

/** It has the id, and not the conversation. */
export function unknownConversation(cause?: unknown): ReinsError {
  return new ReinsError("session_not_found", "OpenCode does not know this conversation; it may have been deleted.", {
    agent: "opencode",
    help: "Start a new session.",
    cause,
  });
}
