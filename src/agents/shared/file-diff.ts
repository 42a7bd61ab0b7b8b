/** A changed file with a diff whose header comes from the agent. */
import { diffStats } from "../../events/diff.ts";
import { defaultLimits } from "../../events/limits.ts";
import type { AgentEventOf } from "../../events/types.ts";

export function withDiff(event: AgentEventOf<"file.changed">, given: unknown): AgentEventOf<"file.changed"> {
  const start = typeof given === "string" ? given.search(/^@@ /m) : -1;
  if (typeof given !== "string" || start < 0) return event;
  const before = event.op === "create" ? "/dev/null" : `a/${event.path}`;
  const diff = `--- ${before}\n+++ b/${event.path}\n${given.slice(start)}`;
  return { ...event, ...diffStats(diff), ...(diff.length <= defaultLimits.inlineBytes ? { diff } : {}) };
}
