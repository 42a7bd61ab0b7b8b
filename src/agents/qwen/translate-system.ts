/** The `system` messages: about the session and its tasks. What they have to say stands in `data`. */
import { record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { Tasks } from "./tasks.ts";
import type { SessionFacts } from "./translate-session.ts";

export interface SystemParts {
  readonly session: SessionFacts;
  readonly tasks: Tasks;
}

/** Undefined for one that is not known. */
export function systemEvents(message: Wire, { session, tasks }: SystemParts): AgentEvent[] | undefined {
  const data = record(message["data"]);
  switch (message["subtype"]) {
    case "init":
      return session.introduced(message);
    case "task_started":
      return tasks.started(data);
    case "task_notification":
      return tasks.notified(data);
    case "model_fallback":
      return session.modelChanged(text(data["toModel"]), `${text(data["fromModel"]) ?? "The model"} has no capacity.`);
    case "worktree_started":
    case "worktree_restored":
    case "vision_routing":
    case "vision_bridge":
      return informed("info", text(data["notice"]));
    case "vision_bridge_failed":
      return informed("warning", text(data["notice"]));
    case "continue_turn_failed":
      return informed("warning", text(data["error"]));
    default:
      return undefined;
  }
}

function informed(level: "info" | "warning", message: string | undefined): AgentEvent[] {
  return message === undefined ? [] : [{ type: "notice", level, code: "informational", message }];
}
