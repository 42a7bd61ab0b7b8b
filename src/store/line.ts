/** An event as the line it is kept as: the same JSON that is streamed, without the agent's own message. */
import type { ReinsEvent } from "../events/types.ts";

export function lineOf(event: ReinsEvent): string {
  if (event.raw === undefined) return JSON.stringify(event);
  const { raw: _raw, ...rest } = event;
  return JSON.stringify(rest);
}

export function eventOf(line: string): ReinsEvent {
  return JSON.parse(line) as ReinsEvent;
}
