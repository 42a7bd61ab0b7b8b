/** The opaque state of a leg whose agent knows conversations by a UUID: whose it is, in which version of our own, and that id. */
import { ReinsError } from "../../events/errors.ts";

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function encodeConversation(agent: { readonly id: string }, conversation: string): string {
  return `${agent.id}:1:${conversation}`;
}

/** The conversation's id. Throws `session_not_found` for anything this version did not write. */
export function decodeConversation(agent: { readonly id: string; readonly name: string }, state: string): string {
  const prefix = encodeConversation(agent, "");
  if (state.startsWith(prefix) && uuid.test(state.slice(prefix.length))) return state.slice(prefix.length);
  const reason = state.startsWith(`${agent.id}:`)
    ? "This state was written by another version of Reins, or is damaged"
    : `This state is not one of ${agent.name}`;
  throw new ReinsError("session_not_found", `${reason}; the session cannot be resumed from it.`, {
    agent: agent.id,
    help: "Start a new session, or resume it with the agent and the version of Reins it came from.",
  });
}
