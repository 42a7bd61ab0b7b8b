/** Draws every kind of item as lines. */
import { oneLine, printable } from "../../events/printable.ts";
import { attachedWords, count, permissionWords, planWords, questionWords } from "../../view/labels.ts";
import { itemLine, itemTone } from "../../view/lines.ts";
import type { InputItem, Item, PermissionItem, PlanItem, QuestionItem, TextItem, TurnEntry } from "../../view/model.ts";
import type { Line } from "../line.ts";
import type { Style, Theme } from "../theme.ts";
import { blanks, sourceLine, within, type BlockKind, type Look } from "./block.ts";
import { diffLines } from "./diff-lines.ts";
import { markdownLines } from "./markdown.ts";
import { contentLines, fileLines, hasDetails, inputLines, toolDetails, toolImages, toolRow } from "./tool.ts";

/** Hides empty items and processes that ended normally. */
export function isShown(item: Item): boolean {
  if (item.kind === "message") return item.text.trim() !== "" || (item.content?.length ?? 0) > 0;
  if (item.kind === "exit") return item.code !== 0;
  return item.kind !== "thought" || item.text.trim() !== "";
}

const kinds: Readonly<Record<Item["kind"], BlockKind>> = {
  ...{ message: "message", thought: "thought", tool: "tool", file: "file", plan: "plan", input: "prompt" },
  ...{ permission: "permission", question: "question", task: "task", notice: "notice", retry: "notice" },
  ...{ limit: "notice", compacted: "notice", switched: "notice", changed: "notice", exit: "notice" },
};

export function kindOf(item: Item): BlockKind {
  return kinds[item.kind];
}

/** Returns whether the item can no longer change. */
export function isOver(item: Item, look: Look): boolean {
  switch (item.kind) {
    case "message":
    case "thought":
      return !item.streaming;
    case "tool":
      return item.status !== "running" && item.items.every((inner) => isOver(inner, look));
    case "permission":
    case "question":
      return item.resolution !== undefined;
    case "task":
      // Inline, a running background task counts as over: otherwise everything after it would wait to be printed.
      return !look.foldTurns || item.task.status !== "running";
    default:
      return true;
  }
}

export function isFoldable(item: Item): boolean {
  switch (item.kind) {
    case "thought":
      return true;
    case "tool":
      return hasDetails(item);
    case "file":
      return (item.diff ?? "") !== "";
    case "permission":
      return item.resolution !== undefined && hasRequestDetails(item);
    case "input":
      return isLong(item.text);
    default:
      return false;
  }
}

export interface DrawOptions {
  readonly look: Look;
  readonly open: boolean;
  /** The id of an item within a tool call, to look up whether it is open. */
  readonly idOf: (item: Item) => string;
  /** Columns used before it. */
  readonly taken?: number;
}

/** Draws items as a whole, except messages and thoughts, whose lines grow. */
export function itemLines(item: Item, options: DrawOptions): readonly Line[] {
  const { look, open } = options;
  switch (item.kind) {
    case "message":
      return messageLines(item, options);
    case "thought":
      return thoughtLines(item, look, open, () => markdownLines(item.text, { look, streaming: item.streaming }).lines);
    case "tool": {
      const row = toolRow(item, look);
      if (!open) return [row, ...toolImages(item, look)];
      const nested = (inner: Item): readonly Line[] => nestedLines(inner, options);
      return [row, ...toolDetails(item, look, nested)];
    }
    case "file":
      return open ? fileLines(item, look, 0) : fileLines({ ...item, diff: undefined }, look, 0);
    case "plan":
      return planLines(item, look);
    case "permission":
      return permissionLines(item, look, open);
    case "question":
      return questionLines(item, look);
    case "input":
      return promptLines(item, { look, open, said: meanwhile[item.how] });
    default: {
      const text = itemLine(item);
      const [mark = "", ...rest] = text.split(" ");
      const style = toneStyle(itemTone(item), look.theme);
      return [{ text: style(rest.join(" ")), prefix: style(`${mark} `) }];
    }
  }
}

/** Nested subagents are indented up to this many columns. */
const deepestNested = 24;

function nestedLines(item: Item, { look, idOf, taken = 0 }: DrawOptions): readonly Line[] {
  if (!isShown(item) || taken > deepestNested) return [];
  const open = look.expandAll || look.unfolded.has(idOf(item));
  return itemLines(item, { look, open, idOf, taken: taken + 4 });
}

function messageLines(item: TextItem, { look, taken }: DrawOptions): readonly Line[] {
  const { lines } = markdownLines(item.text, {
    look,
    streaming: item.streaming,
    ...(taken !== undefined && { taken }),
  });
  return [...lines, ...messageEnd(item, look)];
}

/** The parts of a message besides its text. */
export function messageEnd({ content = [], bytes }: TextItem, look: Look): Line[] {
  const lines = content.flatMap((one) => contentLines(one, look, 0));
  if (bytes !== undefined)
    lines.push({ text: look.theme.dim(`… the message was cut: it had ${bytes} bytes`), source: "" });
  return lines;
}

/** A thought as one line, or in full when open. */
export function thoughtLines(item: TextItem, look: Look, open: boolean, text: () => readonly Line[]): Line[] {
  const { theme } = look;
  const lines = item.text.trimEnd().split("\n").length;
  const words = item.streaming ? "Thinking …" : `Thought for a while · ${count(lines, "line")}`;
  const head: Line = { text: theme.dim(words), prefix: theme.dim(open ? "▾ " : "▸ "), wrap: "cut" };
  if (!open) return [head];
  return [
    head,
    ...within(
      text().map((line) => ({ ...line, text: theme.dim(line.text) })),
      "  ",
      "  ",
    ),
  ];
}

const planMarks = { completed: "✓ ", in_progress: "● ", pending: "○ " } as const;

function planLines(item: PlanItem, look: Look): Line[] {
  const { theme } = look;
  const styles: Readonly<Record<keyof typeof planMarks, Style>> = {
    ...{ completed: theme.dim, in_progress: theme.bold, pending: (text) => text },
  };
  const entries = item.entries.map(({ text, status }): Line => {
    const mark = planMarks[status] ?? "○ ";
    return {
      text: (styles[status] ?? theme.dim)(oneLine(text)),
      prefix: `  ${status === "completed" ? theme.success(mark) : status === "in_progress" ? theme.accent(mark) : mark}`,
    };
  });
  return [{ text: theme.dim(planWords(item)), prefix: theme.dim("· ") }, ...entries];
}

function hasRequestDetails({ diff, reason, input }: PermissionItem): boolean {
  return diff !== undefined || reason !== undefined || (typeof input === "object" && input !== null);
}

function permissionLines(item: PermissionItem, look: Look, open: boolean): Line[] {
  const { theme } = look;
  const { title, resolution, reason, diff, input } = item;
  if (resolution === undefined) return [waiting(`Waiting for approval: ${oneLine(title)}`, look)];
  const style = resolution.outcome === "allowed" ? theme.success : theme.error;
  const row: Line = {
    text: `Allow: ${oneLine(title)} · ${theme.dim(permissionWords(resolution, "you"))}`,
    prefix: style(`${resolution.outcome === "allowed" ? "✓" : "✗"} `),
  };
  if (!open) return [row];
  const details = [
    ...(reason === undefined ? [] : [{ text: theme.dim(oneLine(reason)) }]),
    ...(diff === undefined ? inputLines(input, look) : diffLines(diff, look, 2)),
  ];
  return [row, ...within(details, "  ", "  ")];
}

function questionLines({ questions, resolution }: QuestionItem, look: Look): Line[] {
  const { theme } = look;
  const asked = questions.map(({ text }) => oneLine(text));
  if (resolution === undefined) return [waiting(`Waiting for an answer: ${asked.join(" · ")}`, look)];
  const lines = asked.map((text): Line => ({ text, prefix: theme.accent("? ") }));
  return [...lines, { text: theme.dim(questionWords(resolution, "you")), prefix: theme.dim("  → ") }];
}

function waiting(words: string, { theme }: Look): Line {
  return { text: theme.dim(words), prefix: theme.dim("? "), wrap: "cut" };
}

function toneStyle(tone: ReturnType<typeof itemTone>, theme: Theme): Style {
  return tone === "bad" ? theme.error : tone === "warn" ? theme.warning : theme.dim;
}

const meanwhile = { steer: "added while running", queue: "queued while running" } as const;

/** A prompt may be a whole file; longer prompts are cut. */
const mostPromptLines = 40;

export function isLong(text: string): boolean {
  return text.length > mostPromptLines && text.split("\n", mostPromptLines + 2).length > mostPromptLines + 1;
}

interface PromptOptions {
  readonly look: Look;
  readonly open: boolean;
  /** The origin of the text, if it is not a prompt. */
  readonly said?: string | undefined;
}

export function promptLines(
  input: NonNullable<TurnEntry["input"]> | InputItem,
  { look, open, said }: PromptOptions,
): Line[] {
  const { theme } = look;
  const all = printable(input.text).trimEnd().split("\n");
  const shown = open || !isLong(input.text) ? all : all.slice(0, mostPromptLines);
  const lines = shown.map((source): Line => ({ ...sourceLine(source, look, ""), wrap: "word" }));
  const more = all.length - shown.length;
  if (more > 0) lines.push({ text: theme.dim(`… ${count(more, "more line")}`), source: "" });
  if (said !== undefined) lines.push({ text: theme.dim(said), source: "" });
  const attached = attachedWords(input);
  if (attached !== undefined) lines.push({ text: theme.dim(attached), source: "", ...attachedImages(input) });
  const mark = theme.accent("❯ ");
  return within(lines, mark, blanks(mark));
}

/** The file may have changed or be gone; then only its name is shown. */
function attachedImages({ attachments = [] }: Pick<InputItem, "attachments">): Pick<Line, "images"> {
  const images = attachments.flatMap(({ kind, path }) => (kind === "image" && path !== undefined ? [{ path }] : []));
  return images.length === 0 ? {} : { images };
}
