/** How a call ended, beside its title. */
import type { FileChange, ToolItem } from "../../view/model.ts";
import { duration, failureWords, outputWords } from "../../view/words.ts";

export type ToolTone = "running" | "good" | "bad";

export function toolTone({ status, output, exitCode }: ToolItem): ToolTone {
  if (status === "failed") return "bad";
  if (output === undefined && status === "running") return "running";
  return exitCode === undefined || exitCode === 0 ? "good" : "bad";
}

export function toolWords(item: ToolItem): string {
  const { status, output, durationMs, exitCode, items } = item;
  if (status === "failed") return failureWords(item);
  const steps = items.length === 0 ? undefined : `${items.length} ${items.length === 1 ? "step" : "steps"}`;
  const words = output === undefined ? undefined : outputWords(output, exitCode);
  const took = durationMs === undefined || durationMs < 100 ? undefined : duration(durationMs);
  return [steps, words, took].filter((part) => part !== undefined && part !== "").join(" · ");
}

/** Lines added and removed, over all files of a call. */
export function changeCounts({ files }: Pick<ToolItem, "files">): { added: number; removed: number } | undefined {
  if (files.length === 0) return undefined;
  return files.reduce(
    (sum, file) => ({ added: sum.added + (file.added ?? 0), removed: sum.removed + (file.removed ?? 0) }),
    { added: 0, removed: 0 },
  );
}

/** Its row names the one file that changed, and how much of it: below there is only the difference to show. */
export function saidByTitle(
  { title, files }: Pick<ToolItem, "title" | "files">,
  { path, oldPath }: FileChange,
): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return files.length === 1 && oldPath === undefined && title.includes(name);
}

/** What was asked of a tool, as a person reads it: a command as it is typed, else its fields. */
export function inputText(input: unknown): { readonly kind: "command" | "fields"; readonly text: string } | undefined {
  if (input === undefined || input === null) return undefined;
  const { command } = input as { readonly command?: unknown };
  if (typeof command === "string") return { kind: "command", text: command };
  const values = typeof input === "object" ? Object.values(input) : [input];
  // A single text says itself best: a query, or what a subagent is to do.
  const [only] = values.length === 1 ? values : [];
  const text = typeof only === "string" ? only : (JSON.stringify(input, undefined, 2) ?? "");
  return text === "" || text === "{}" ? undefined : { kind: "fields", text };
}

/** The last lines of what a tool has put out so far. */
export function tailOf(progress: string, lines: number): string {
  return progress.trimEnd().split("\n").slice(-lines).join("\n");
}
