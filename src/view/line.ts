/** One line for one event, for a terminal beside the agent's own text. Without colours; safe to print as it is. */
import { oneLine } from "../events/printable.ts";
import type { ReinsEvent } from "../events/types.ts";
import * as words from "./words.ts";

/** Undefined for what says nothing by itself: deltas, whole messages, phases, readings. */
export function eventLine(event: ReinsEvent): string | undefined {
  const line = lineOf(event);
  return line === undefined || event.parent === undefined ? line : `  ${line}`;
}

function lineOf(event: ReinsEvent): string | undefined {
  switch (event.type) {
    case "session.started": {
      const who = [event.agent, event.modelLabel ?? event.model, `mode ${event.mode}`];
      return who
        .filter((part) => part !== undefined)
        .map(oneLine)
        .join(" · ");
    }
    case "session.updated":
      return event.model === undefined && event.mode === undefined && event.reset !== true
        ? undefined
        : `· ${words.changedWords(event)}`;
    case "turn.started":
      return event.continues === undefined ? undefined : `↻ ${words.continuedWords(event)}`;
    case "input.added":
      return ["> " + oneLine(event.text), words.attachedWords(event)].filter((part) => part !== undefined).join(" · ");
    case "tool.started":
      return `● ${oneLine(event.title)}`;
    case "tool.completed":
      return `  ${words.outputMark(event.exitCode)} ${words.outputWords(event.output, event.exitCode)}`;
    case "tool.failed":
      return `  ✗ ${words.failureWords(event)}`;
    case "file.changed":
      return `  ± ${words.changeWords(event)}`;
    case "task.started":
      return `◌ ${words.taskWords({ ...event, taskKind: event.kind })}`;
    case "task.updated":
      return `◌ ${words.taskWords(event)}`;
    case "plan.updated":
      return `· ${words.planWords(event)}`;
    case "permission.requested":
      return `? Allow: ${oneLine(event.title)}`;
    case "permission.resolved":
      return `  ${event.outcome === "allowed" ? "✓" : "✗"} ${words.permissionWords(event)}`;
    case "question.requested":
      return `? ${event.questions.map(({ text }) => oneLine(text)).join(" · ")}`;
    case "question.resolved":
      return `  ${event.outcome === "answered" ? "✓" : "✗"} ${words.questionWords(event)}`;
    case "limit.updated":
      return event.status === "ok" ? undefined : `! ${words.limitWords(event)}`;
    case "context.compacted":
      return `· ${words.compactedWords(event)}`;
    case "agent.retrying":
      return `↻ ${words.retryWords(event)}`;
    case "agent.switched":
      return `⇄ ${words.switchedWords(event)}`;
    case "notice":
      return `${event.level === "info" ? "·" : "!"} ${words.noticeWords(event)}`;
    case "process.exited":
      return event.code === 0 ? undefined : `! ${words.exitWords(event)}`;
    case "turn.completed":
      return `${event.error === undefined ? "✓" : "✗"} ${words.endWords(event, event.costUsd)}`;
    default:
      return undefined;
  }
}
