/** Which tools are allowed and disallowed, as Claude Code's own permission rules. */
import type { OpenOptions, ToolFilter } from "../contract.ts";
import { nativeToolNames } from "./tools.ts";

export interface Rules {
  readonly allowed: readonly string[];
  readonly disallowed: readonly string[];
}

export function rulesOf(filter: ToolFilter | undefined): Rules {
  return { allowed: spelled(filter?.allowed), disallowed: spelled(filter?.disallowed) };
}

/** What holds for every prompt, the first and the others: this much can stand on the command line. */
export function commonRules(tools: OpenOptions["tools"]): Rules {
  const rest = rulesOf(tools);
  if (tools?.first === undefined) return rest;
  const first = rulesOf(tools.first);
  return {
    allowed: rest.allowed.filter((rule) => first.allowed.includes(rule)),
    disallowed: rest.disallowed.filter((rule) => first.disallowed.includes(rule)),
  };
}

/** The settings that add what is different for one prompt; they replace those sent before. */
export function settingsOf(rules: Rules): object {
  return { settings: { permissions: { allow: rules.allowed, deny: rules.disallowed } } };
}

function spelled(names: readonly string[] | undefined): string[] {
  return [...new Set((names ?? []).flatMap(nativeToolNames))];
}
