import type { TurnResult } from "../core/api.ts";

/** The end of a turn in a line: how long, how much, and what it touched. */
export function summaryLine(result: TurnResult): string {
  const files = result.filesChanged.length;
  const parts = [
    `${outcomes[result.outcome]} ${duration(result.durationMs)}`,
    plural(result.toolCalls, "tool call"),
    `${plural(files, "file")} changed${result.filesChangedIncomplete === true ? " (perhaps more)" : ""}`,
    result.costUsd === undefined ? undefined : `$${result.costUsd.toFixed(4)}`,
    result.background === undefined
      ? undefined
      : `${plural(result.background.length, "background task")} ended with it`,
  ];
  return parts.filter((part) => part !== undefined).join(" · ");
}

/** What goes on with this session; to be pasted into a shell. */
export function resumeLine({ state }: TurnResult): string | undefined {
  return state === undefined ? undefined : `reins run --resume ${shellWord(state)} "..."`;
}

const outcomes = {
  done: "Done in",
  cancelled: "Cancelled after",
  refused: "Refused after",
  max_tokens: "Out of tokens after",
  max_turns: "Out of turns after",
  budget: "Out of budget after",
  interrupted: "Interrupted after",
  failed: "Failed after",
} as const;

function duration(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  return ms < 60_000
    ? `${(ms / 1000).toFixed(1)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1000)} s`;
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
