/** The blocks of a transcript, and helpers to make their lines. */
import type { Highlighter } from "../../view/highlight/index.ts";
import type { Line } from "../line.ts";
import type { Theme } from "../theme.ts";
import { expandTabs, styledColumns } from "../wrap.ts";

/** How a transcript is drawn. Another width, theme or highlighter redraws everything. */
export interface Look {
  readonly width: number;
  readonly theme: Theme;
  /** Ids of the blocks that are open. */
  readonly unfolded: ReadonlySet<string>;
  /** Everything is open and nothing is cut (Ctrl+T). */
  readonly expandAll: boolean;
  /** Fold the steps of a finished turn into one line. False on the inline screen, which has already printed them. */
  readonly foldTurns: boolean;
  /** The screen that draws images: this one, or only the inline screen. Undefined: the terminal draws none. */
  readonly images?: "here" | "inline" | undefined;
  readonly cwd?: string | undefined;
  readonly home?: string | undefined;
  /** From `loadHighlighter` in `view/highlight`. Without it, code has no colours. */
  readonly highlight?: Highlighter | undefined;
}

/** `turn` is the line that the steps of a turn are folded into. */
export type BlockKind =
  | "prompt"
  | "message"
  | "thought"
  | "tool"
  | "file"
  | "plan"
  | "permission"
  | "question"
  | "task"
  | "notice"
  | "turn"
  | "end"
  /** A message of the interface itself. */
  | "box";

export interface Block {
  /** Stable while the conversation is open; used in `unfolded`. */
  readonly id: string;
  readonly kind: BlockKind;
  /** True when the block can be opened and folded. */
  readonly foldable: boolean;
  /** True when nothing in it can change any more. */
  readonly settled: boolean;
  /** Begins with an empty line when there is a gap before the block. The lines of a settled block are built on first use. */
  readonly lines: readonly Line[];
  /** How many lines at the start can no longer change; all lines of a settled block. */
  readonly settledLines: number;
  /** For search and copy. */
  readonly text: string;
  /** Index of the conversation entry that the block belongs to. */
  readonly entry: number;
}

/** A longer line of input or output is cut, unless everything is open. */
const longestLine = 2_000;

/** Prepares a line of text for display: tabs as blanks, and cut when very long. */
export function shownLine(text: string, look: Look): string {
  if (look.expandAll || text.length <= longestLine) return expandTabs(text);
  const more = text.length - longestLine;
  const head = expandTabs(text.slice(0, longestLine).toWellFormed());
  return `${head}${look.theme.dim(` … ${more.toLocaleString("en")} more characters`)}`;
}

/** Code or output: breaks anywhere, and a copy has the original text. */
export function sourceLine(source: string, look: Look, prefix: string, indent?: string): Line {
  return { text: shownLine(source, look), source, wrap: "soft", prefix, indent: indent ?? blanks(prefix) };
}

export function blanks(prefix: string): string {
  return " ".repeat(styledColumns(prefix));
}

/** Adds a prefix to lines. */
export function within(lines: readonly Line[], first: string, further: string = blanks(first)): Line[] {
  return lines.map((line, index) => {
    const { prefix = "" } = line;
    const before = index === 0 ? first : further;
    return { ...line, prefix: before + prefix, indent: further + (line.indent ?? blanks(prefix)) };
  });
}

/** The new lines, reusing the old object of each unchanged line, whose rows are cached. */
export function reused(before: readonly Line[], lines: readonly Line[]): readonly Line[] {
  const shorter = Math.min(before.length, lines.length);
  let at = 0;
  const kept: Line[] = [];
  for (; at < shorter; at++) kept.push(sameLine(before[at]!, lines[at]!) ? before[at]! : lines[at]!);
  for (; at < lines.length; at++) kept.push(lines[at]!);
  return kept;
}

function sameLine(one: Line, other: Line): boolean {
  return (
    one === other ||
    (one.text === other.text &&
      one.prefix === other.prefix &&
      one.indent === other.indent &&
      one.source === other.source &&
      one.wrap === other.wrap &&
      one.images === undefined &&
      other.images === undefined &&
      one.laid?.join("\n") === other.laid?.join("\n"))
  );
}
