/** Tracks whether a person is connected, which decides about the deadlines of requests. */
import { deadline } from "./requests.ts";
import type { Step } from "./step.ts";

/** The last person left, or somebody connected: pending requests get the configured deadline, or lose it. */
export function presenceChanged(step: Step, present: boolean): void {
  if (step.state.present === present) return;
  step.set({ present });
  const asked = [...step.state.requests.values()].filter(({ status }) => status === "asking");
  for (const { event } of asked) {
    const id = `request:${event.requestId}` as const;
    const kind = event.type === "question.requested" ? "question" : "permission";
    if (present) step.do({ do: "timer.stop", id });
    else step.do({ do: "timer.start", id, ms: step.rules.deadlines[kind] });
    const what = `"${event.type === "question.requested" ? "the question" : event.title}"`;
    // The request event is already recorded, so report the changed deadline as a notice.
    const message = present
      ? `A person is connected again: ${what} waits without a deadline.`
      : `Nobody is connected: ${what} waits for an answer until ${deadline(step, kind)}.`;
    step.notice("info", "deadline", message);
  }
}
