/** Which tools are allowed and disallowed, as Qwen Code's own permission rules. */
import type { ToolFilter } from "../contract.ts";
import { nativeToolNames } from "./tools.ts";

export interface Rules {
  readonly allowed: readonly string[];
  readonly disallowed: readonly string[];
}

export function rulesOf(filter: ToolFilter | undefined): Rules {
  return { allowed: spelled(filter?.allowed), disallowed: spelled(filter?.disallowed) };
}

function spelled(names: readonly string[] | undefined): string[] {
  return [...new Set((names ?? []).flatMap(nativeToolNames))];
}
