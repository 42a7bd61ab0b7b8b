/** Items that only copy fields of their event: the item kind and the fields to copy, per event type. */
import type { EventOf, EventType } from "../events/types.ts";

const change = ["path", "op", "oldPath", "diff", "added", "removed"] as const;
const call = ["callId", "tool", "title", "input"] as const;

const items = {
  "plan.updated": ["plan", ["entries"]],
  "input.added": ["input", ["text", "attachments", "how"]],
  "permission.requested": [
    "permission",
    ["requestId", ...call, "reason", "diff", "mcp", "options", "inputChangeable", "deadline"],
  ],
  "question.requested": ["question", ["requestId", "callId", "questions", "deadline"]],
  "file.changed": ["file", change],
  notice: ["notice", ["level", "code", "message", "count"]],
  "agent.retrying": ["retry", ["attempt", "ofMax", "delayMs", "error"]],
  "limit.updated": ["limit", ["window", "status", "usedPercent", "resetsAt"]],
  "context.compacted": ["compacted", ["trigger", "before", "after"]],
  "agent.switched": ["switched", ["from", "to", "reason"]],
  "session.updated": ["changed", ["model", "mode", "reset", "by", "reason"]],
  "process.exited": ["exit", ["code", "signal"]],
} as const satisfies { readonly [Type in EventType]?: readonly [string, readonly (keyof EventOf<Type>)[]] };

/** Fields of `turn.completed` that a turn keeps. */
export const endFields = [
  ...(["outcome", "error", "text", "costSource", "durationMs", "toolCalls"] as const),
  ...(["filesChanged", "filesChangedIncomplete", "background"] as const),
] as const;

type Table = typeof items;

export type ItemOf<Type extends EventType> = Type extends keyof Table
  ? { readonly kind: Table[Type][0] } & Pick<EventOf<Type>, Extract<Table[Type][1][number], keyof EventOf<Type>>>
  : never;

export function itemOf<Event extends EventOf<keyof Table>>(event: Event): ItemOf<Event["type"]> {
  const [kind, fields] = items[event.type];
  return { kind, ...picked(event, fields as readonly string[] as readonly (keyof Event)[]) } as unknown as ItemOf<
    Event["type"]
  >;
}

export function picked<From, Name extends keyof From>(from: From, names: readonly Name[]): Pick<From, Name> {
  const found: Partial<Pick<From, Name>> = {};
  for (const name of names) found[name] = from[name];
  return found as Pick<From, Name>;
}

export const fileChange = (event: EventOf<"file.changed">): Pick<typeof event, (typeof change)[number]> =>
  picked(event, change);
