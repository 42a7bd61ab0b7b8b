/** Tools that a session may not use, as rules: for agents that cannot be kept from a tool by its name. */
import { tools } from "../../events/tools.ts";
import type { Tool } from "../../events/tools.ts";
import type { Rule } from "./rule.ts";

export interface DeniedTools {
  readonly rules: readonly Rule[];
  /** Names that only some agent would know: no rule can be made of them. */
  readonly unknown: readonly string[];
}

export function deniedTools(names: readonly string[] = []): DeniedTools {
  const made = names.map((name) => ({ name, rule: ruleOf(name) }));
  return {
    rules: made.flatMap(({ rule }) => rule ?? []),
    unknown: made.filter(({ rule }) => rule === undefined).map(({ name }) => name),
  };
}

function ruleOf(name: string): Rule | undefined {
  if ((tools as readonly string[]).includes(name)) return { decision: "deny", tool: name as Tool };
  const command = /^shell\((.+)\)$/.exec(name)?.[1];
  if (command !== undefined) return { decision: "deny", command };
  const [, server, tool] = /^mcp__(.+?)(?:__(.+))?$/.exec(name) ?? [];
  return server === undefined
    ? undefined
    : { decision: "deny", mcp: tool === undefined ? server : `${server}/${tool}` };
}
