/** The opaque state of a leg: whose it is, in which version of our own, and the agent's id of the session. */
import { ReinsError } from "../../events/errors.ts";

const version = "1";

/** An id may be any text; so encoded it has no colon, and the agent's id before it can have some. */
export function encodeState(agent: string, sessionId: string): string {
  return `${agent}:${version}:${Buffer.from(sessionId).toString("base64url")}`;
}

/** The agent's id of the session. Throws `session_not_found` for anything this version did not write for this agent. */
export function decodeState(agent: string, name: string, state: string): string {
  const prefix = `${agent}:${version}:`;
  const encoded = state.startsWith(prefix) ? state.slice(prefix.length) : "";
  const sessionId = Buffer.from(encoded, "base64url").toString();
  if (sessionId !== "" && encodeState(agent, sessionId) === state) return sessionId;
  const reason = state.startsWith(`${agent}:`)
    ? "This state was written by another version of Reins, or is damaged"
    : `This state is not one of ${name}`;
  throw new ReinsError("session_not_found", `${reason}; the session cannot be resumed from it.`, {
    agent,
    help: "Start a new session, or resume it with the agent and the version of Reins it came from.",
  });
}
