import type { AgentEventOf, EventOf } from "../../events/types.ts";
import type { Envelope } from "./envelope.ts";
import type { Tools } from "./tools.ts";

/** Work that may outlive its call and its turn. A task is reported as started before anything else, and listed while it runs. */
export class Tasks {
  readonly #envelope: Envelope;
  readonly #tools: Tools;
  readonly #tasks = new Map<string, { readonly callId: string | undefined; running: boolean }>();
  #last: string | undefined;

  constructor(envelope: Envelope, tools: Tools) {
    this.#envelope = envelope;
    this.#tools = tools;
  }

  restore({ taskId, callId, status }: EventOf<"task.started" | "task.updated">): void {
    this.#tasks.set(taskId, { callId: callId ?? this.#tasks.get(taskId)?.callId, running: status === "running" });
    this.#last = taskId;
  }

  started(event: AgentEventOf<"task.started">): void {
    const { taskId, callId, status, title } = event;
    if (this.#tasks.has(taskId)) return this.updated({ type: "task.updated", taskId, callId, title, status });
    this.#tasks.set(taskId, { callId, running: status === "running" });
    this.#envelope.emit(this.#tools.named(event));
  }

  updated(event: AgentEventOf<"task.updated">): void {
    const { taskId, callId, title = taskId, status } = event;
    this.#last = taskId;
    if (!this.#tasks.has(taskId)) {
      this.started({ type: "task.started", taskId, callId, kind: "other", title, status: "running", synthetic: true });
    }
    this.#tasks.get(taskId)!.running = status === "running";
    this.#envelope.emit(this.#tools.named(event));
  }

  /** The tasks that still run at the end of a turn, as the agent reports them, otherwise as far as known. */
  stillRunning(said: readonly string[] | undefined): string[] {
    if (said !== undefined) this.#stop(this.running().filter((taskId) => !said.includes(taskId)));
    return this.running();
  }

  running(): string[] {
    return [...this.#tasks].filter(([, task]) => task.running).map(([taskId]) => taskId);
  }

  stop(): void {
    this.#stop(this.running());
  }

  #stop(taskIds: readonly string[]): void {
    for (const taskId of taskIds) this.updated({ type: "task.updated", taskId, status: "stopped", synthetic: true });
  }

  /** The task that made the agent start a turn: the task of the subagent's call, otherwise the latest one. */
  causeOf(parent: string | undefined): string | undefined {
    if (parent !== undefined) for (const [taskId, { callId }] of this.#tasks) if (callId === parent) return taskId;
    return this.#last;
  }
}
