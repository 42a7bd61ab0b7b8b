/** The opaque state of a leg: the agent, a version, and the agent's id of the conversation. */
import { ReinsError } from "../events/errors.ts";

type AgentName = { readonly id: string; readonly name: string };

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** `isId`: the format of the agent's ids. `decode` throws `session_not_found` for any state that this version did not write. */
export function conversationState(agent: AgentName, isId: RegExp = uuid) {
  const prefix = `${agent.id}:1:`;
  return {
    encode: (conversation: string): string => prefix + conversation,
    decode: (state: string): string => {
      const id = state.slice(prefix.length);
      if (state.startsWith(prefix) && isId.test(id)) return id;
      throw unknownState(agent, state);
    },
  };
}

export function unknownState({ id, name }: AgentName, state: string): ReinsError {
  const reason = state.startsWith(`${id}:`)
    ? "This state was written by another version of Reins, or is damaged"
    : `This state is not one of ${name}`;
  return new ReinsError("session_not_found", `${reason}; the session cannot be resumed from it.`, {
    agent: id,
    help: "Start a new session, or resume it with the agent and the version of Reins it came from.",
  });
}
