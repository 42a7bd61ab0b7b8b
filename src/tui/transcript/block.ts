/** The parts that a transcript consists of, and helpers to make their lines. */
import type { Highlighter } from "../../view/highlight/index.ts";
import type { Line } from "../line.ts";
import type { Theme } from "../theme.ts";
import { expandTabs, styledColumns } from "../wrap.ts";

/** How a transcript is drawn. Another width, theme or highlighter draws everything again. */
export interface Look {
  readonly width: number;
  readonly theme: Theme;
  /** Ids of the blocks that are open. */
  readonly unfolded: ReadonlySet<string>;
  /** Everything is open and nothing is cut, for Ctrl+T. */
  readonly expandAll: boolean;
  /** The steps of a turn that ended become one line. The inline screen has printed them already and says no. */
  readonly foldTurns: boolean;
  /** Where images are drawn: on this screen, or only on the inline one. Undefined: the terminal draws none. */
  readonly images?: "here" | "inline" | undefined;
  readonly cwd?: string | undefined;
  readonly home?: string | undefined;
  /** From `loadHighlighter` in `view/highlight`. Code has no colours without it. */
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
  /** The same as long as the conversation is open; `unfolded` has these. */
  readonly id: string;
  readonly kind: BlockKind;
  /** Whether the block can be opened and folded. */
  readonly foldable: boolean;
  /** Nothing in it can change any more. */
  readonly settled: boolean;
  /** Begins with an empty line where there is a gap before it. Of a settled block they are made when they are first read. */
  readonly lines: readonly Line[];
  /** How many of the lines at the start can no longer change; of a settled block all of them. */
  readonly settledLines: number;
  /** For search and copy. */
  readonly text: string;
  /** Index of the entry of the conversation that it is of. */
  readonly entry: number;
}

/** A longer line of input or output is cut, unless everything is open. */
const longestLine = 2_000;

/** Text of one line as it may be shown: tabs as blanks, and no line without end. */
export function shownLine(text: string, look: Look): string {
  if (look.expandAll || text.length <= longestLine) return expandTabs(text);
  const more = text.length - longestLine;
  const head = expandTabs(text.slice(0, longestLine).toWellFormed());
  return `${head}${look.theme.dim(` … ${more.toLocaleString("en")} more characters`)}`;
}

/** Code or output: it breaks anywhere, and a copy has the text as it was. */
export function sourceLine(source: string, look: Look, prefix: string, indent?: string): Line {
  return { text: shownLine(source, look), source, wrap: "soft", prefix, indent: indent ?? blanks(prefix) };
}

export function blanks(prefix: string): string {
  return " ".repeat(styledColumns(prefix));
}

/** The same lines with more before them. */
export function within(lines: readonly Line[], first: string, further: string = blanks(first)): Line[] {
  return lines.map((line, index) => {
    const { prefix = "" } = line;
    const before = index === 0 ? first : further;
    return { ...line, prefix: before + prefix, indent: further + (line.indent ?? blanks(prefix)) };
  });
}

/** The new lines, with the old object for each that is the same as before: its rows are known. */
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
