/** Tasks: work of a subagent or a command, inside a call or in the background beyond its call and turn. */
import type { AgentEventOf, TaskStatus } from "../../../events/types.ts";
import { EndTurn } from "./stop-turn.ts";
import type { InProcessTurn } from "./turn.ts";

export interface Task {
  readonly callId: string;
  readonly kind: AgentEventOf<"task.started">["kind"];
  readonly title: string;
}

export interface BackgroundTask<Turn extends InProcessTurn> extends Task {
  readonly work: (inside: Turn) => Promise<{ readonly text: string; readonly failed: boolean }>;
}

export interface Report {
  readonly taskId: string;
  readonly title: string;
  readonly status: TaskStatus;
  readonly text: string;
}

async function begin(turn: InProcessTurn, { callId, kind, title }: Task): Promise<string> {
  const taskId = turn.newId("task");
  await turn.emit({ type: "task.started", taskId, callId, kind, title, status: "running" });
  return taskId;
}

export async function inForeground<Turn extends InProcessTurn>(
  turn: Turn,
  task: Task,
  work: (inside: Turn) => Promise<string>,
): Promise<string> {
  const taskId = await begin(turn, task);
  const { callId } = task;
  try {
    const summary = await work(turn.under(callId));
    turn.close({ type: "task.updated", taskId, callId, status: "completed", summary });
    return summary;
  } catch (thrown) {
    turn.close({ type: "task.updated", taskId, callId, status: turn.signal.aborted ? "stopped" : "failed" });
    throw thrown;
  }
}

export class Background {
  /** Called when a task has ended and has a result to report. */
  reported = (): void => {};
  readonly #running = new Map<string, { readonly abort: AbortController; readonly done: Promise<void> }>();
  #reports: Report[] = [];

  get running(): string[] {
    return [...this.#running.keys()];
  }

  get hasReports(): boolean {
    return this.#reports.length > 0;
  }

  take(): Report[] {
    return this.#reports.splice(0);
  }

  /** Resolves with the id of the running task. The task has its own signal, because its turn may end first. */
  async start<Turn extends InProcessTurn>(turn: Turn, task: BackgroundTask<Turn>): Promise<string> {
    const taskId = await begin(turn, task);
    const abort = new AbortController();
    const done = this.#work(taskId, turn.under(task.callId, abort.signal), task);
    this.#running.set(taskId, { abort, done });
    return taskId;
  }

  /** Ends all running tasks without reports. */
  async stop(): Promise<void> {
    const running = [...this.#running.values()];
    for (const { abort } of running) abort.abort(new EndTurn("cancelled"));
    await Promise.all(running.map(({ done }) => done));
    this.#reports = [];
  }

  /** Never rejects. */
  async #work<Turn extends InProcessTurn>(taskId: string, inside: Turn, task: BackgroundTask<Turn>): Promise<void> {
    const { callId, title, work } = task;
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
    this.#reports.push({ taskId, title, status, text });
    this.reported();
  }
}
