/** The parts of a turn besides its items: its origin, the line its steps are folded into, and its outcome. */
import { oneLine } from "../../events/printable.ts";
import { count, dotted, duration, endWords, taskWords } from "../../view/labels.ts";
import type { Conversation, Item, TurnEnd, TurnEntry } from "../../view/model.ts";
import type { Line } from "../line.ts";
import { within, type Look } from "./block.ts";
import { isShown } from "./items.ts";

export interface TurnParts {
  /** Everything that is folded into one line. */
  readonly steps: readonly Item[];
  /** Shown even when the steps are folded: the last message, and text that the person added. */
  readonly kept: readonly Item[];
}

export function partsOf({ items }: TurnEntry): TurnParts {
  const shown = items.filter(isShown);
  const answer = shown.findLast(({ kind }) => kind === "message");
  const isKept = (item: Item): boolean => item === answer || item.kind === "input";
  return { steps: shown.filter((item) => !isKept(item)), kept: shown.filter(isKept) };
}

/** A turn that the agent started by itself. */
export function originLines({ cause }: TurnEntry, { tasks }: Conversation, { theme }: Look): Line[] {
  const task = tasks.find(({ taskId }) => taskId === cause);
  const after = task === undefined ? "" : ` after ${taskWords(task)}`;
  return [{ text: theme.dim(`The agent continued by itself${after}`), prefix: theme.dim("↻ ") }];
}

function workedWords({ durationMs, toolCalls, filesChanged, background = [] }: TurnEnd): string {
  return dotted(
    `Worked ${duration(durationMs)}`,
    toolCalls === 0 ? undefined : count(toolCalls, "tool call"),
    filesChanged.length === 0 ? undefined : `${count(filesChanged.length, "file")} changed`,
    background.length === 0 ? undefined : `${count(background.length, "task")} still running`,
  );
}

export function foldLines(end: TurnEnd, { theme }: Look, open: boolean): Line[] {
  return [{ text: theme.dim(workedWords(end)), prefix: theme.dim(open ? "▾ " : "▸ "), wrap: "cut" }];
}

/** Returns whether the end of a turn is shown. For a successful turn the answer is enough. */
export function saysEnd({ end, items }: TurnEntry, { foldTurns }: Look): boolean {
  if (end === undefined) return false;
  return end.outcome !== "done" || (!foldTurns && items.some((item) => isShown(item) && item.kind !== "message"));
}

export function endLines(end: TurnEnd, { foldTurns, theme }: Look, costUsd: number | undefined): Line[] {
  if (end.outcome === "done") return [{ text: theme.dim(workedWords(end)), prefix: theme.dim("✓ "), wrap: "cut" }];
  const { error } = end;
  // The folded line already has the counts.
  const counted = foldTurns ? { toolCalls: 0, filesChanged: [], background: [] } : {};
  const style = end.outcome === "cancelled" ? theme.warning : theme.error;
  const lines: Line[] = [{ text: style(endWords({ ...end, ...counted, error: undefined }, costUsd)) }];
  if (error !== undefined) lines.push({ text: style(oneLine(error.message)) });
  if (error?.help !== undefined) lines.push({ text: theme.dim(oneLine(error.help)) });
  if (error?.resetsAt !== undefined) lines.push({ text: theme.dim(`Try again after ${oneLine(error.resetsAt)}.`) });
  return within(lines, style("✗ "));
}
