/** The agent's to-do list: one tool writes the whole of it. */
import { isRecord, list, record, text } from "../../drivers/stream-json/read.ts";
import type { AgentEvent, PlanEntry } from "../../events/types.ts";

/** After a call that succeeded. A subagent keeps a list of its own, which is not the session's plan. */
export function planAfter({ nativeName, input }: { nativeName: string; input: unknown }): AgentEvent | undefined {
  if (nativeName !== "todo_write") return undefined;
  const entries = list(record(input)["todos"])
    .filter(isRecord)
    .map((item): PlanEntry => ({ text: text(item["content"]) ?? "", status: statusOf(item["status"]) }));
  return { type: "plan.updated", entries: entries.filter((entry) => entry.text !== "") };
}

function statusOf(status: unknown): PlanEntry["status"] {
  return status === "in_progress" || status === "completed" ? status : "pending";
}
