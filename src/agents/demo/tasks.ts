import type { Outbox } from "../shared/outbox.ts";

interface Finished {
  readonly taskId: string;
  readonly ms: number;
}

/** Background work: waits that outlive the turn which started them, and are reported in a turn of the agent's own. */
export class Tasks {
  readonly #outbox: Outbox;
  readonly #isBusy: () => boolean;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #unreported: Finished[] = [];

  constructor(outbox: Outbox, isBusy: () => boolean) {
    this.#outbox = outbox;
    this.#isBusy = isBusy;
  }

  get running(): string[] {
    return [...this.#timers.keys()];
  }

  start(task: Finished): void {
    const timer = setTimeout(() => {
      this.#timers.delete(task.taskId);
      this.#outbox.push({ type: "task.updated", taskId: task.taskId, status: "completed", summary: summaryOf(task) });
      this.#unreported.push(task);
      this.report();
    }, task.ms);
    this.#timers.set(task.taskId, timer);
  }

  /** Speaks of what finished, unless a turn is running: then it waits until that turn is over. */
  report(): void {
    if (this.#isBusy()) return;
    for (const task of this.#unreported.splice(0)) {
      const message = { messageId: `report_${task.taskId}`, text: summaryOf(task) };
      this.#outbox.push({ type: "message.delta", ...message });
      this.#outbox.push({ type: "message.completed", ...message });
      this.#outbox.push({ type: "turn.ended", origin: "agent", outcome: "done", background: this.running });
    }
  }

  stop(): void {
    for (const [taskId, timer] of this.#timers) {
      clearTimeout(timer);
      this.#outbox.push({ type: "task.updated", taskId, status: "stopped" });
    }
    this.#timers.clear();
    this.#unreported = [];
  }
}

function summaryOf(task: Finished): string {
  return `The background wait of ${task.ms} ms is over.`;
}
