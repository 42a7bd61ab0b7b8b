/** The opaque state of a conversation: `demo:1:<id>:<turns so far>`. */
import { randomId } from "../../process/crypto.ts";
import { ReinsError } from "../../events/errors.ts";

export interface Memory {
  readonly id: string;
  readonly turns: number;
}

export function newMemory(turns = 0): Memory {
  return { id: randomId(), turns };
}

export function toState(memory: Memory): string {
  return `demo:1:${memory.id}:${memory.turns}`;
}

export function fromState(state: string): Memory {
  const found = /^demo:1:([0-9a-f-]{36}):(\d{1,15})$/.exec(state);
  if (found) return { id: found[1] as string, turns: Number(found[2]) };
  const message = state.startsWith("demo:")
    ? "This state is from another version of the demo agent."
    : "This state is not one of the demo agent.";
  throw new ReinsError("session_not_found", message, {
    agent: "demo",
    help: "Start a new session, or resume with the agent that made the state.",
  });
}
