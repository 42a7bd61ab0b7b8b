import type { EventType, ReinsEvent } from "../events/types.ts";
import { eventLine } from "../view/line.ts";

interface EventLine {
  readonly text: string;
  readonly style: "dim" | "red" | "yellow" | "cyan";
}

const styles: Partial<Record<EventType, EventLine["style"]>> = {
  "tool.started": "cyan",
  "tool.completed": "yellow",
  "tool.failed": "red",
  "permission.resolved": "yellow",
  "limit.updated": "yellow",
  "agent.retrying": "yellow",
  "agent.switched": "yellow",
  "process.exited": "yellow",
};

/** Whether it happens before the person's eyes, or is read afterwards by whoever was not there. */
export type Telling = "now" | "past";

/** What a person reads of an event beside the agent's text; undefined for what is said elsewhere or says nothing. */
export function progressLine(
  event: ReinsEvent,
  openCalls: { has(callId: string): boolean },
  telling: Telling = "now",
): EventLine | undefined {
  if (event.type === "thought.completed") {
    const mark = event.parent === undefined ? "│ " : "  │ ";
    return event.text.trim() === "" ? undefined : { text: event.text.trim().replaceAll(/^/gm, mark), style: "dim" };
  }
  const text = isSaidElsewhere(event, openCalls, telling === "past") ? undefined : eventLine(event);
  if (text === undefined) return undefined;
  const warning = event.type === "notice" && event.level !== "info";
  return { text, style: warning ? "yellow" : (styles[event.type] ?? "dim") };
}

function isSaidElsewhere(event: ReinsEvent, openCalls: { has(callId: string): boolean }, past: boolean): boolean {
  switch (event.type) {
    // A person sees the question and the answer; denials.ts tells what nobody was asked about.
    case "permission.requested":
    case "question.requested":
    case "question.resolved":
    case "input.added":
      return !past;
    case "permission.resolved":
      return !past && (event.outcome !== "denied" || event.by !== "policy");
    // That it went well is seen by what follows.
    case "tool.completed":
      return event.exitCode === undefined || event.exitCode === 0;
    // The line of its call has said it.
    case "task.started":
    case "task.updated":
      return openCalls.has(event.callId ?? "");
    // It has its own place.
    case "turn.completed":
      return true;
    default:
      return false;
  }
}
