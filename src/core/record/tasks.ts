import type { AgentEventOf, EventOf } from "../../events/types.ts";
import type { Envelope } from "./envelope.ts";
import type { Tools } from "./tools.ts";

/** Work that may outlive its call and its turn: known before it is spoken of, and listed while it runs. */
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

  /** At the end of a turn: those that still run, as the agent says, else as far as is known. */
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

  /** The task that makes an agent speak by itself: the one of the subagent's call, else the one heard of last. */
  causeOf(parent: string | undefined): string | undefined {
    if (parent !== undefined) for (const [taskId, { callId }] of this.#tasks) if (callId === parent) return taskId;
    return this.#last;
  }
}
