import type { ReinsEvent, Session, TurnResult } from "../../../../src/index.ts";

/** A turn of a session that may report divergences; it is not checked for being fully understood. */
export async function turnOf(session: Session, prompt: string): Promise<{ result: TurnResult; events: ReinsEvent[] }> {
  const turn = session.prompt(prompt);
  const events: ReinsEvent[] = [];
  for await (const event of turn) events.push(event);
  return { result: await turn.result, events };
}

export const noticesIn = (events: readonly ReinsEvent[]): string[] =>
  events.flatMap((event) => (event.type === "notice" ? [event.message] : []));
