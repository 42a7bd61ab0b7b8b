import type { ModelMessage } from "ai";
import { EndTurn } from "../shared/endings.ts";
import { converse } from "./loop.ts";
import type { Memory } from "./loop.ts";
import type { Turn } from "./turn.ts";

/** A conversation inside a call, with a memory of its own that goes with it. Gives its last message. */
export async function runSubagent(turn: Turn, prompt: string): Promise<string> {
  const messages: ModelMessage[] = [{ role: "user", content: prompt }];
  const memory: Memory = {
    messages,
    add: async (...more) => void messages.push(...more),
  };
  const { desk } = turn;
  try {
    return (
      (await converse(turn, memory, {
        answered: ({ tokens }) => desk.usage.add(desk.model.name, tokens),
      })) || "It is done; there is nothing to say."
    );
  } catch (thrown) {
    // Its bad end is only its own; a cancel, or a person who said stop, ends the turn too.
    if (thrown instanceof EndTurn && thrown.outcome !== "cancelled")
      throw new Error(thrown.error?.message ?? `The subagent ended early (${thrown.outcome}).`, { cause: thrown });
    throw thrown;
  }
}
