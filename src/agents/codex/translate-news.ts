/** Notifications that are about no item and no turn. */
import type { AgentEvent, PlanEntry } from "../../events/types.ts";
import { list, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";

/** Undefined for one that is not known. */
export function newsOf(method: string, params: Wire, parent: string | undefined): AgentEvent[] | undefined {
  switch (method) {
    case "turn/plan/updated":
      // A subagent keeps a list of its own, which is not the session's plan.
      return parent === undefined ? [{ type: "plan.updated", entries: entriesOf(params["plan"]) }] : [];
    case "thread/name/updated":
      return parent === undefined
        ? [{ type: "session.updated", title: text(params["threadName"]) ?? "", by: "agent" }]
        : [];
    case "model/rerouted":
      return rerouted(params, parent);
    case "warning":
    case "guardianWarning":
      return warned(text(params["message"]), parent);
    case "configWarning": {
      const summary = text(params["summary"]);
      // It brings its own.
      return summary?.includes("bundled bubblewrap") === true ? [] : warned(summary, parent);
    }
    case "mcpServer/startupStatus/updated":
      return params["status"] === "failed"
        ? warned(
            `The MCP server ${text(params["name"]) ?? ""} did not start: ${text(params["error"]) ?? "it did not say why"}`,
          )
        : [];
    default:
      return undefined;
  }
}

function entriesOf(plan: unknown): PlanEntry[] {
  return list(plan).flatMap((item) => {
    const { step, status } = record(item);
    const words = text(step);
    if (words === undefined) return [];
    const known = status === "completed" ? "completed" : status === "inProgress" ? "in_progress" : "pending";
    return [{ text: words, status: known }];
  });
}

function rerouted(params: Wire, parent: string | undefined): AgentEvent[] {
  const model = text(params["toModel"]);
  if (model === undefined || parent !== undefined) return [];
  return [{ type: "session.updated", model, by: "agent", reason: text(params["reason"]) }];
}

function warned(message: string | undefined, parent?: string): AgentEvent[] {
  return message === undefined ? [] : [{ type: "notice", level: "warning", code: "warning", message, parent }];
}
