import type { EventOf, EventType, Outcome } from "../types.ts";
import type { CreateLaw } from "./law.ts";

const onlyInside: ReadonlySet<EventType> = new Set<EventType>([
  "turn.phase",
  "input.added",
  "message.delta",
  "message.completed",
  "message.discarded",
  "thought.delta",
  "thought.completed",
  "tool.started",
  "tool.progress",
  "tool.completed",
  "tool.failed",
  "file.changed",
  "permission.requested",
  "permission.resolved",
  "question.requested",
  "question.resolved",
]);

const withError: ReadonlySet<Outcome> = new Set<Outcome>(["failed", "refused", "budget", "interrupted"]);

/**
 * Law 1: a turn starts once and ends once; all events between carry its `turnId`, and none comes after. An error is
 * set exactly when the outcome is a failure. `background` names tasks that still run.
 * Events cannot show whether the turn ended at the agent's first signal.
 */
export const turns: CreateLaw = (report, options) => {
  let open: string | undefined;
  const known = new Set<string>();
  const tasks = new Map<string, { running: boolean; turnId: string | undefined }>();

  const started = (event: EventOf<"turn.started">): void => {
    if (open !== undefined) report(event.seq, `a turn began while turn ${open} was running`);
    if (event.turnId === undefined) report(event.seq, "a turn began without a turnId");
    else if (known.has(event.turnId)) report(event.seq, `turn ${event.turnId} began twice`);
    if (event.origin === "prompt" && event.input === undefined) report(event.seq, "a prompted turn has no input");
    open = event.turnId ?? "";
    known.add(open);
  };

  const completed = (event: EventOf<"turn.completed">): void => {
    if (open === undefined) report(event.seq, "a turn was completed that was not running");
    if (withError.has(event.outcome) !== (event.error !== undefined)) {
      report(event.seq, `outcome ${event.outcome} came ${event.error === undefined ? "without an" : "with an"} error`);
    }
    const listed = new Set(event.background);
    for (const taskId of listed) {
      if (tasks.get(taskId)?.running !== true) report(event.seq, `background names ${taskId}, which does not run`);
    }
    for (const [taskId, task] of tasks) {
      const left = task.running && task.turnId === event.turnId && event.outcome === "done" && !listed.has(taskId);
      if (left) report(event.seq, `task ${taskId} still runs and background does not name it`);
    }
    open = undefined;
  };

  return {
    push(event) {
      if (event.type === "turn.started") return started(event);
      if (event.turnId !== open) {
        report(event.seq, `${event.type} carries turn ${event.turnId ?? "none"} where turn ${open ?? "none"} runs`);
      } else if (open === undefined && onlyInside.has(event.type)) {
        report(event.seq, `${event.type} is outside a turn`);
      }
      if (event.type === "task.started") {
        if (tasks.has(event.taskId)) report(event.seq, `task ${event.taskId} began twice`);
        tasks.set(event.taskId, { running: event.status === "running", turnId: event.turnId });
      }
      if (event.type === "task.updated") {
        const task = tasks.get(event.taskId);
        if (task === undefined) report(event.seq, `task ${event.taskId} was updated before it started`);
        else task.running = event.status === "running";
      }
      if (event.type === "turn.completed") completed(event);
    },
    end(seq) {
      if (open !== undefined && options.open !== true) report(seq, `turn ${open} was never completed`);
    },
  };
};
