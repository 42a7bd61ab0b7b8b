import { expect } from "vitest";
import type { Turn, TurnResult } from "../../../src/core/api.ts";
import type { EventOf, EventType, ReinsEvent } from "../../../src/events/types.ts";

export function all<Type extends EventType>(events: readonly ReinsEvent[], type: Type): EventOf<Type>[] {
  return events.filter((event): event is EventOf<Type> => event.type === type);
}

/** The only event of a type; fails when there is none, or more than one. */
export function one<Type extends EventType>(events: readonly ReinsEvent[], type: Type): EventOf<Type> {
  const found = all(events, type);
  expect(found, `${type} in ${events.map((event) => event.type).join(", ")}`).toHaveLength(1);
  return found[0]!;
}

/** The completed messages of the agent. */
export const messages = (events: readonly ReinsEvent[]): string[] =>
  all(events, "message.completed").map((event) => event.text);

export async function whole(turn: Turn): Promise<{ result: TurnResult; events: readonly ReinsEvent[] }> {
  const result = await turn.result;
  const events: ReinsEvent[] = [];
  for await (const event of turn) events.push(event);
  return { result, events };
}

/** Fails when the agent sent something unknown to its translator, or diverged from its options. */
export function expectUnderstood(events: readonly ReinsEvent[]): void {
  const strange = all(events, "notice").filter(({ code }) => code === "unparsed" || code === "divergence");
  expect(strange.map((notice) => notice.message)).toEqual([]);
}
