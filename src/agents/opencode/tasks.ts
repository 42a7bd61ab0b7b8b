/** Subagents in the background: their call ends at once, and they go on. */
import { record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { AgentEvent } from "../../events/types.ts";

export class Tasks {
  readonly #running = new Set<string>();
  readonly #known = new Set<string>();

  get running(): string[] {
    return [...this.#running];
  }

  /** A part that is a call of the tool `task`. */
  part(part: Wire, callId: string): AgentEvent[] {
    const { metadata, input } = record(part["state"]);
    const { background, sessionId } = record(metadata);
    const taskId = text(sessionId);
    if (part["tool"] !== "task" || background !== true || taskId === undefined || this.#known.has(taskId)) return [];
    this.#known.add(taskId);
    this.#running.add(taskId);
    const title = text(record(input)["description"]) ?? "Subagent";
    return [{ type: "task.started", taskId, callId, kind: "subagent", title, status: "running" }];
  }

  ended(taskId: string, status: "completed" | "failed"): AgentEvent[] {
    return this.#running.delete(taskId) ? [{ type: "task.updated", taskId, status }] : [];
  }
}
