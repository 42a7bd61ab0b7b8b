/** Work beside the conversation: subagents and shells, which may outlive their call and their turn. */
import type { AgentEvent, TaskStatus } from "../../events/types.ts";
import { list, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";

interface Task {
  readonly kind: "subagent" | "shell" | "other";
  readonly callId: string | undefined;
  readonly parent: string | undefined;
  running: boolean;
  background: boolean;
}

export class Tasks {
  readonly #tasks = new Map<string, Task>();
  /** The agent lists what runs in the background before it tells that it started. */
  #listed: ReadonlySet<string> = new Set();

  /** The taskIds that go on when the turn ends. */
  get background(): string[] {
    return [...this.#tasks].filter(([, task]) => task.running && task.background).map(([taskId]) => taskId);
  }

  get subagentsRun(): boolean {
    return [...this.#tasks.values()].some((task) => task.running && task.kind === "subagent");
  }

  /** Whether the task of this call still runs. */
  runs(callId: string | undefined): boolean {
    return callId !== undefined && [...this.#tasks.values()].some((task) => task.running && task.callId === callId);
  }

  started(message: Wire, parent: string | undefined): AgentEvent[] {
    const taskId = text(message["task_id"]);
    if (taskId === undefined) return [];
    const callId = text(message["tool_use_id"]);
    const background = message["is_backgrounded"] === true || this.#listed.has(taskId);
    const kind = kindOf(message["task_type"]);
    this.#tasks.set(taskId, { kind, callId, parent, running: true, background });
    const title = text(message["description"]) ?? taskId;
    return [{ type: "task.started", taskId, callId, kind, title, status: "running", parent }];
  }

  progressed(message: Wire): AgentEvent[] {
    return this.#update(message, "running", text(message["description"]));
  }

  /** A patch: it may end the task or send it to the background. The summary comes with the notification. */
  patched(message: Wire): AgentEvent[] {
    const patch = record(message["patch"]);
    const task = this.#tasks.get(text(message["task_id"]) ?? "");
    if (task !== undefined && typeof patch["is_backgrounded"] === "boolean") task.background = patch["is_backgrounded"];
    const status = statusOf(patch["status"]);
    return status === undefined ? [] : this.#update(message, status);
  }

  notified(message: Wire): AgentEvent[] {
    const events = this.#update(message, statusOf(message["status"]) ?? "completed", text(message["summary"]));
    this.#tasks.delete(text(message["task_id"]) ?? "");
    return events;
  }

  /** The whole list of what runs in the background; what is no longer in it and never said why was stopped. */
  listed(message: Wire): AgentEvent[] {
    this.#listed = new Set(list(message["tasks"]).map((task) => text(record(task)["task_id"]) ?? ""));
    const gone = this.background.filter((taskId) => !this.#listed.has(taskId));
    return gone.flatMap((taskId) => this.#update({ task_id: taskId }, "stopped"));
  }

  #update(message: Wire, status: TaskStatus, summary?: string): AgentEvent[] {
    const taskId = text(message["task_id"]);
    if (taskId === undefined) return [];
    const task = this.#tasks.get(taskId);
    const callId = text(message["tool_use_id"]) ?? task?.callId;
    if (task !== undefined) task.running = status === "running";
    return [{ type: "task.updated", taskId, callId, status, summary, parent: task?.parent }];
  }
}

function kindOf(type: unknown): "subagent" | "shell" | "other" {
  return type === "local_agent" ? "subagent" : type === "local_bash" ? "shell" : "other";
}

function statusOf(status: unknown): TaskStatus | undefined {
  switch (status) {
    case "running":
    case "pending":
    case "paused":
      return "running";
    case "completed":
    case "failed":
      return status;
    case "killed":
    case "stopped":
      return "stopped";
    default:
      return undefined;
  }
}
