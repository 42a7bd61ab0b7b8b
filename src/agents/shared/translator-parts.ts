/** Small parts that the translators of several agents share. */
import type { Tool } from "../../events/tools.ts";
import type { AgentEvent } from "../../events/types.ts";

/** An agent's own names of its tools. */
type ToolTable = Readonly<Partial<Record<Tool, readonly string[]>>>;

export function toolNamesIn(table: ToolTable): ReadonlyMap<string, Tool> {
  const entries = Object.entries(table) as [Tool, readonly string[]][];
  return new Map(entries.flatMap(([tool, names]) => names.map((name) => [name, tool] as const)));
}

/** A translator's answer to a message that means nothing to a reader. */
export const nothing: readonly AgentEvent[] = Object.freeze([]);

/** Outside of a turn these begin one, in the core and in the translators. */
export function isWork({ type }: AgentEvent): boolean {
  return /^(?:message|thought)\.|^tool\.started$|^file\.changed$/.test(type);
}
