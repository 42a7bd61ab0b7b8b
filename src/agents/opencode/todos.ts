/** Its list of things to do, as a plan. */
import { list, record, text } from "../../drivers/stream-json/read.ts";
import type { AgentEventOf } from "../../events/types.ts";

type Entry = AgentEventOf<"plan.updated">["entries"][number];

/** What was given up is not on the plan any more. */
export function planOf(todos: unknown): Entry[] {
  return list(todos).flatMap((item): Entry[] => {
    const { content, status, priority } = record(item);
    const entry = text(content);
    if (entry === undefined || status === "cancelled") return [];
    const done = status === "completed" || status === "in_progress" ? status : "pending";
    const weight = priority === "high" || priority === "medium" || priority === "low" ? priority : undefined;
    return [{ text: entry, status: done, ...(weight === undefined ? {} : { priority: weight }) }];
  });
}
