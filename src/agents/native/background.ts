/** Tasks: what a subagent or a command does inside a call, or beyond its call and its turn. */
import type { AgentEventOf, TaskStatus } from "../../events/types.ts";
import { EndTurn } from "../shared/in-process/stop-turn.ts";
import type { Turn } from "./turn.ts";

export interface Task {
  readonly callId: string;
  readonly kind: AgentEventOf<"task.started">["kind"];
  readonly title: string;
}

export interface BackgroundTask extends Task {
  readonly work: (inside: Turn) => Promise<{ readonly text: string; readonly failed: boolean }>;
}

/** A task that ended, in words for the model. */
export interface Report {
  readonly taskId: string;
  readonly text: string;
}

interface Running {
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

export class Background {
  readonly #running = new Map<string, Running>();
  #reports: Report[] = [];
  /** Called when a task has ended and there is something to tell. */
  readonly #reported: () => void;

  constructor(reported: () => void) {
    this.#reported = reported;
  }

  get running(): string[] {
    return [...this.#running.keys()];
  }

  /** What ended and was not told yet. */
  take(): Report[] {
    return this.#reports.splice(0);
  }

  get hasReports(): boolean {
    return this.#reports.length > 0;
  }

  async inForeground(turn: Turn, task: Task, work: (inside: Turn) => Promise<string>): Promise<string> {
    const taskId = await this.#begin(turn, task);
    try {
      const summary = await work(turn.under(task.callId));
      turn.close({ type: "task.updated", taskId, callId: task.callId, status: "completed", summary });
      return summary;
    } catch (thrown) {
      const status = turn.signal.aborted ? "stopped" : "failed";
      turn.close({ type: "task.updated", taskId, callId: task.callId, status });
      throw thrown;
    }
  }

  /** Resolves with its id when it runs. It has a signal of its own: its turn may end without it. */
  async start(turn: Turn, task: BackgroundTask): Promise<string> {
    const taskId = await this.#begin(turn, task);
    const abort = new AbortController();
    const done = this.#work(taskId, turn.under(task.callId, abort.signal), task);
    this.#running.set(taskId, { abort, done });
    return taskId;
  }

  /** Ends all that run; nothing of them is told to the model. */
  async stop(): Promise<void> {
    const running = [...this.#running.values()];
    for (const { abort } of running) abort.abort(new EndTurn("cancelled"));
    await Promise.all(running.map(({ done }) => done));
    this.#reports = [];
  }

  async #begin(turn: Turn, { callId, kind, title }: Task): Promise<string> {
    const taskId = turn.newId("task");
    await turn.emit({ type: "task.started", taskId, callId, kind, title, status: "running" });
    return taskId;
  }

  /** Never rejects. */
  async #work(taskId: string, inside: Turn, { callId, title, work }: BackgroundTask): Promise<void> {
    let status: TaskStatus = "completed";
    let text: string;
    try {
      const done = await work(inside);
      text = done.text;
      if (done.failed) status = "failed";
    } catch (thrown) {
      status = inside.signal.aborted ? "stopped" : "failed";
      text = thrown instanceof Error ? thrown.message : String(thrown);
    }
    this.#running.delete(taskId);
    inside.context.outbox.push({ type: "task.updated", taskId, callId, status, summary: text });
    if (status === "stopped") return;
    this.#reports.push({ taskId, text: notification(taskId, title, status, text) });
    this.#reported();
  }
}

function notification(taskId: string, title: string, status: TaskStatus, text: string): string {
  return `<task-notification>\nThe background task ${taskId} (${title}) has ended: ${status}.\n${text}\n</task-notification>`;
}
