/** Code as coloured lines. */
import type { HighlightToken } from "../../view/highlight/index.ts";
import type { Line } from "../line.ts";
import type { Theme } from "../theme.ts";
import { expandTabs } from "../wrap.ts";
import { shownLine, type Look } from "./block.ts";

/** Lines before a new one that are coloured again with it: colours depend on the lines before. */
const context = 8;
/** While code is streaming, a comment or string that began more than this many lines ago is not recognised. */
const mostContext = 60;
/** Code of at most this many lines is coloured as a whole when it is complete. */
const colouredAtEnd = 400;

/** The lines of streaming code, kept for when it has grown. */
export interface GrowingCode {
  readonly sources: readonly string[];
  readonly lines: readonly Line[];
  /** For each line, whether it begins inside a comment or a string. */
  readonly inside: readonly boolean[];
  readonly open: boolean;
}

interface CodeOptions {
  readonly look: Look;
  readonly language: string;
  /** True while more may come: the last line has no colours yet. */
  readonly open: boolean;
  /** Earlier lines of the same code: they stay unchanged until the end. */
  readonly before?: GrowingCode | undefined;
}

/** Makes one line for each source line; a copy has exactly the source. */
export function codeLines(text: string, { look, language, open, before }: CodeOptions): GrowingCode {
  const sources = text.split("\n");
  const whole = open ? sources.length - 1 : sources.length;
  const same = before === undefined ? 0 : sameStart(before.sources, sources);
  if (before?.open === false && !open && same === sources.length && same === before.sources.length) return before;
  const atEnd = !open && sources.length <= colouredAtEnd;
  // The last line may have been incomplete.
  const kept = atEnd ? 0 : Math.max(0, Math.min(same, (before?.sources.length ?? 0) - 1));
  const from = startOfColours(before, kept);
  const coloured: Coloured =
    kept < whole ? colouredLines(sources.slice(from, whole), language, look) : { styled: [], inside: [] };
  const lines: Line[] = before === undefined ? [] : before.lines.slice(0, kept);
  const inside: boolean[] = before === undefined ? [] : before.inside.slice(0, kept);
  for (let at = kept; at < sources.length; at++) {
    const source = sources[at]!;
    lines.push({ text: coloured.styled[at - from] ?? shownLine(source, look), source, wrap: "soft", prefix: "  " });
    inside.push(coloured.inside[at - from] ?? false);
  }
  return { sources, lines, inside, open };
}

/** The number of equal lines at the start. */
function sameStart(before: readonly string[], now: readonly string[]): number {
  const most = Math.min(before.length, now.length);
  let at = 0;
  while (at < most && before[at] === now[at]) at++;
  return at;
}

/** Some lines before the first new one, and further back to where no comment or string is open. */
function startOfColours(before: GrowingCode | undefined, kept: number): number {
  const furthest = Math.max(0, kept - mostContext);
  let from = Math.max(0, kept - context);
  while (from > furthest && before?.inside[from] === true) from--;
  return from;
}

interface Coloured {
  readonly styled: readonly string[];
  readonly inside: readonly boolean[];
}

/** The styled lines of some code; tabs become blanks. */
export function styledCode(sources: readonly string[], language: string, look: Look): readonly string[] {
  return colouredLines(sources, language, look).styled;
}

function colouredLines(sources: readonly string[], language: string, look: Look): Coloured {
  const { highlight, theme } = look;
  if (highlight === undefined || language === "" || theme.name === "none")
    return { styled: sources.map((source) => shownLine(source, look)), inside: [] };
  const { styled, inside } = linesOf(highlight(sources.map(expandTabs).join("\n"), language), theme);
  return {
    styled: sources.map((source, at) => (source.length > 2_000 ? shownLine(source, look) : styled[at]!)),
    inside,
  };
}

function linesOf(tokens: readonly HighlightToken[], theme: Theme): Coloured {
  const styled = [""];
  const inside = [false];
  for (const { kind, text } of tokens)
    for (const [index, part] of text.split("\n").entries()) {
      if (index > 0) {
        styled.push("");
        inside.push(kind === "comment" || kind === "string");
      }
      if (part !== "") styled[styled.length - 1] += kind === undefined ? part : theme.syntax(kind, part);
    }
  return { styled, inside };
}
