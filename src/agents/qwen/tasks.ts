/** Subagents in the background, and monitors. The turn goes on until the subagents are done; a monitor may outlive it. */
import { text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { AgentEvent, TaskStatus } from "../../events/types.ts";

export class Tasks {
  readonly #running = new Set<string>();

  /** The taskIds that go on when the turn ends. */
  get background(): string[] {
    return [...this.#running];
  }

  started(data: Wire): AgentEvent[] {
    const taskId = text(data["task_id"]);
    if (taskId === undefined) return [];
    this.#running.add(taskId);
    const kind = text(data["subagent_type"]) === undefined ? "other" : "subagent";
    const title = text(data["description"]) ?? taskId;
    return [{ type: "task.started", taskId, callId: text(data["tool_use_id"]), kind, title, status: "running" }];
  }

  notified(data: Wire): AgentEvent[] {
    const taskId = text(data["task_id"]);
    if (taskId === undefined) return [];
    const status = statusOf(data["status"]);
    if (status !== "running") this.#running.delete(taskId);
    return [{ type: "task.updated", taskId, callId: text(data["tool_use_id"]), status }];
  }
}

function statusOf(status: unknown): TaskStatus {
  switch (status) {
    case "running":
    case "completed":
    case "failed":
      return status;
    case "cancelled":
    case "stopped":
    case "paused":
      return "stopped";
    default:
      return "completed";
  }
}
