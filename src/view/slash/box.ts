/** A box is the answer to a slash command: a titled message whose parts are styled by meaning. */
import { columnsOf, padColumns } from "../../events/columns.ts";
import { oneLine } from "../../events/printable.ts";

export type BoxStyle = "plain" | "dim" | "bold" | "accent" | "success" | "warning" | "error";

export interface BoxPart {
  /** Printable, without newlines. */
  readonly text: string;
  readonly style: BoxStyle;
}

export type BoxLine = readonly BoxPart[];

export interface Box {
  readonly title: string;
  readonly lines: readonly BoxLine[];
}

/** A part of a box. Spaces are kept; pass text from outside through `said` instead. */
export function part(text: string, style: BoxStyle = "plain"): BoxPart {
  return { text, style };
}

export function line(text: string, style: BoxStyle = "plain"): BoxLine {
  return [part(text, style)];
}

/** A box whose title and lines may contain text from outside. */
export function box(title: string, lines: readonly BoxLine[]): Box {
  return { title: oneLine(title), lines };
}

/** Text from outside, made printable and put on one line. */
export function said(text: string, style: BoxStyle = "plain"): BoxPart {
  return part(oneLine(text), style);
}

/** Rows of a name and a value, with the values aligned. */
export function facts(rows: readonly (readonly [name: string, ...value: BoxLine])[]): readonly BoxLine[] {
  const width = Math.max(0, ...rows.map(([name]) => columnsOf(name)));
  return rows.map(([name, ...value]) => [part(`${padColumns(name, width)}  `, "dim"), ...value]);
}

export const blank: BoxLine = [];

/** The text of a box without styles, for tests, screen readers and plain mode. */
export function boxText({ title, lines }: Box): string {
  return [
    title,
    ...lines.map((parts) =>
      parts
        .map(({ text }) => text)
        .join("")
        .trimEnd(),
    ),
  ].join("\n");
}
