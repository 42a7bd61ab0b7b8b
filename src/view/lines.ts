/** One line for one event or item, with its mark and without colours. Safe to print as it is. */
import { oneLine } from "../events/printable.ts";
import type { ReinsEvent } from "../events/types.ts";
import { itemOf } from "./items.ts";
import * as words from "./labels.ts";
import type { InputItem, Item, TextItem } from "./model.ts";

export interface RenderOptions {
  /** Also what the agent thought. Default: no. */
  readonly thoughts?: boolean | undefined;
  /** How many lines of a tool's output, or of a diff, are shown. Default: 20. */
  readonly outputLines?: number | undefined;
}

/** The beginning of a text, and how many lines are missing. */
export function firstLines(text: string, options: RenderOptions): string {
  const most = options.outputLines ?? 20;
  const lines = text.replace(/\n+$/, "").split("\n");
  if (lines.length <= most) return lines.join("\n");
  const more = lines.length - most;
  return [...lines.slice(0, most), `… ${more} more ${more === 1 ? "line" : "lines"}`].join("\n");
}

/** What is not a text, on one line and with its mark. */
export function itemLine(item: Exclude<Item, TextItem | InputItem>): string {
  switch (item.kind) {
    case "tool":
      if (item.status === "failed") return `✗ ${oneLine(item.title)} · ${words.failureWords(item)}`;
      if (item.output === undefined) return `● ${oneLine(item.title)}`;
      return `${words.outputMark(item.exitCode)} ${oneLine(item.title)} · ${words.outputWords(item.output, item.exitCode)}`;
    case "file":
      return `± ${words.changeWords(item)}`;
    case "plan":
      return `· ${words.planWords(item)}`;
    case "permission": {
      const asked = `? Allow: ${oneLine(item.title)}`;
      return item.resolution === undefined ? asked : `${asked} · ${words.permissionWords(item.resolution)}`;
    }
    case "question": {
      const asked = `? ${item.questions.map(({ text }) => oneLine(text)).join(" · ")}`;
      return item.resolution === undefined ? asked : `${asked} · ${words.questionWords(item.resolution)}`;
    }
    case "task":
      return `◌ ${words.taskWords(item.task)}`;
    case "notice":
      return `${item.level === "info" ? "·" : "!"} ${words.noticeWords(item)}`;
    case "retry":
      return `↻ ${words.retryWords(item)}`;
    case "limit":
      return `! ${words.limitWords(item)}`;
    case "compacted":
      return `· ${words.compactedWords(item)}`;
    case "switched":
      return `⇄ ${words.switchedWords(item)}`;
    case "changed":
      return `· ${words.changedWords(item)}`;
    case "exit":
      return `· ${words.exitWords(item)}`;
  }
}

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
        : itemLine(itemOf(event));
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
    case "permission.resolved":
      return `  ${event.outcome === "allowed" ? "✓" : "✗"} ${words.permissionWords(event)}`;
    case "question.resolved":
      return `  ${event.outcome === "answered" ? "✓" : "✗"} ${words.questionWords(event)}`;
    case "limit.updated":
      return event.status === "ok" ? undefined : itemLine(itemOf(event));
    case "process.exited":
      return event.code === 0 ? undefined : `! ${words.exitWords(event)}`;
    case "turn.completed":
      return `${event.error === undefined ? "✓" : "✗"} ${words.endWords(event, event.costUsd)}`;
    case "plan.updated":
    case "permission.requested":
    case "question.requested":
    case "context.compacted":
    case "agent.retrying":
    case "agent.switched":
    case "notice":
      return itemLine(itemOf(event));
    default:
      return undefined;
  }
}
