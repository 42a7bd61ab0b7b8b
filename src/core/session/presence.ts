/** Tracks whether a person is connected, which decides about the deadlines of requests. */
import { deadline } from "./requests.ts";
import type { Step } from "./step.ts";

/** The last person left, or somebody connected: pending requests get the configured deadline, or lose it. */
export function presenceChanged(step: Step, present: boolean): void {
  if (step.state.present === present) return;
  step.set({ present });
  const asked = [...step.state.requests.values()].filter(({ status }) => status === "asking");
  const [first, ...others] = asked;
  if (first === undefined) return;
  for (const { event } of asked) {
    const id = `request:${event.requestId}` as const;
    if (present) step.do({ do: "timer.stop", id });
    else step.do({ do: "timer.start", id, ms: step.rules.deadlines[kindOf(event)] });
  }
  // The events of the requests are recorded already, so one notice for all of them tells that their deadlines changed.
  const title = first.event.type === "question.requested" ? "the question" : first.event.title;
  const what = others.length === 0 ? `"${title}" waits` : `${asked.length} requests wait`;
  const [until] = asked.map(({ event }) => deadline(step, kindOf(event))).toSorted();
  const message = present
    ? `A person is connected again: ${what} without a deadline.`
    : `Nobody is connected: ${what} for an answer${others.length === 0 ? "" : ", the first"} until ${until!}.`;
  step.notice("info", "deadline", message);
}

function kindOf({ type }: { readonly type: string }): "permission" | "question" {
  return type === "question.requested" ? "question" : "permission";
}
