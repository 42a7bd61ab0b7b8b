import type { Tool } from "../../events/tools.ts";
import type { AgentEvent } from "../../events/types.ts";

type ToolTable = Readonly<Partial<Record<Tool, readonly string[]>>>;

export function toolNamesIn(table: ToolTable): ReadonlyMap<string, Tool> {
  const entries = Object.entries(table) as [Tool, readonly string[]][];
  return new Map(entries.flatMap(([tool, names]) => names.map((name) => [name, tool] as const)));
}

/** Returned by a translator for a message that needs no event. */
export const nothing: readonly AgentEvent[] = Object.freeze([]);

/** True for events that begin a turn when they occur outside one, in the core and in the translators. */
export function isWork({ type }: AgentEvent): boolean {
  return /^(?:message|thought)\.|^tool\.started$|^file\.changed$/.test(type);
}
