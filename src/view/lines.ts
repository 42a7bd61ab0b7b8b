/** Prints each event or item as one line, with its mark and without colours. */
import { oneLine } from "../events/printable.ts";
import type { ReinsEvent } from "../events/types.ts";
import { itemOf } from "./items.ts";
import * as words from "./labels.ts";
import type { InputItem, Item, TextItem } from "./model.ts";

export interface RenderOptions {
  /** Include thinking. Default: false. */
  readonly thoughts?: boolean | undefined;
  /** How many lines of a tool's output or a diff are shown. Default: 20. */
  readonly outputLines?: number | undefined;
}

/** The first lines of a text, followed by the number of lines left out. */
export function firstLines(text: string, options: RenderOptions): string {
  const most = options.outputLines ?? 20;
  const lines = text.replace(/\n+$/, "").split("\n");
  if (lines.length <= most) return lines.join("\n");
  return [...lines.slice(0, most), `… ${words.count(lines.length - most, "more line")}`].join("\n");
}

type LineItem = Exclude<Item, TextItem | InputItem>;
type Line = readonly [mark: string, words: string];

/** The mark and the words of each item that is not a text. */
const itemLines: { readonly [Kind in LineItem["kind"]]: (item: Extract<LineItem, { kind: Kind }>) => Line } = {
  tool(item) {
    if (item.status === "failed") return ["✗", `${oneLine(item.title)} · ${words.failureWords(item)}`];
    if (item.output === undefined) return ["●", oneLine(item.title)];
    const { exitCode, output } = item;
    return [words.outputMark(exitCode), `${oneLine(item.title)} · ${words.outputWords(output, exitCode)}`];
  },
  file: (item) => ["±", words.changeWords(item)],
  plan: (item) => ["·", words.planWords(item)],
  permission: ({ title, resolution }) => [
    "?",
    words.dotted(`Allow: ${oneLine(title)}`, resolution && words.permissionWords(resolution)),
  ],
  question: ({ questions, resolution }) => {
    const asked = questions.map(({ text }) => oneLine(text));
    return ["?", words.dotted(...asked, resolution && words.questionWords(resolution))];
  },
  task: ({ task }) => ["◌", words.taskWords(task)],
  notice: (item) => [item.level === "info" ? "·" : "!", words.noticeWords(item)],
  retry: (item) => ["↻", words.retryWords(item)],
  limit: (item) => ["!", words.limitWords(item)],
  compacted: (item) => ["·", words.compactedWords(item)],
  switched: (item) => ["⇄", words.switchedWords(item)],
  changed: (item) => ["·", words.changedWords(item)],
  exit: (item) => ["·", words.exitWords(item)],
};

const lineOfItem = (item: LineItem): Line => (itemLines[item.kind] as (item: LineItem) => Line)(item);

export function itemLine(item: LineItem): string {
  return lineOfItem(item).join(" ");
}

/** Like `itemLine`, without the mark. */
export function itemWords(item: LineItem): string {
  return lineOfItem(item)[1];
}

export function itemTone(item: LineItem): "bad" | "warn" | undefined {
  if (item.kind === "notice") return item.level === "error" ? "bad" : item.level === "info" ? undefined : "warn";
  if (item.kind === "task") return item.task.status === "failed" ? "bad" : undefined;
  return item.kind === "retry" || (item.kind === "limit" && item.status !== "ok") ? "warn" : undefined;
}

/** Returns undefined for events without a line: deltas, whole messages, phases and limit readings. */
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
