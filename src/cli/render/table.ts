import { columnsOf, fitColumns, padColumns } from "../../events/columns.ts";

type Cells = readonly (string | number | undefined)[];
/** `below`: a line under the row, starting at the second column. */
type Row = Cells | { readonly cells: Cells; readonly below?: string | undefined };

/** Columns as wide as their widest cell; the last one is not padded. Newlines in cells are removed, so a row stays on one line. */
export function table(head: readonly string[], given: readonly Row[]): string {
  const rows = given.map((row) => {
    const { cells, below } = "cells" in row ? row : { cells: row, below: undefined };
    return { cells: cells.map((cell = "") => flat(String(cell))), below: below && flat(below) };
  });
  const widths = head.map((name, column) =>
    Math.max(columnsOf(name), ...rows.map(({ cells }) => columnsOf(cells[column] ?? ""))),
  );
  const line = (cells: readonly string[]): string =>
    `${cells
      .map((cell, column) => padColumns(cell, widths[column] ?? 0))
      .join("  ")
      .trimEnd()}\n`;
  const indent = " ".repeat((widths[0] ?? 0) + 2);
  return [
    line(head),
    ...rows.flatMap(({ cells, below }) => [line(cells), ...(below === undefined ? [] : [`${indent}${below}\n`])]),
  ].join("");
}

/** Cuts lines to the width of the terminal; a program gets them complete. */
export function fitted(text: string, width = widthOf(process.stdout)): string {
  if (width === undefined) return text;
  return text
    .split("\n")
    .map((line) => fitColumns(line, width))
    .join("\n");
}

/** On a terminal, the end of a path in a quarter of the width. */
export function shortPath(path: string, width = widthOf(process.stdout), home = process.env["HOME"]): string {
  if (width === undefined) return path;
  const short = home && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
  const most = Math.max(12, Math.floor(width / 4));
  const letters = Array.from(short);
  return letters.length <= most ? short : `…${letters.slice(-most + 1).join("")}`;
}

/** The part of an id that a user needs to type. */
export function shortId(id: string): string {
  return id.slice(0, 12);
}

function widthOf({ isTTY, columns }: NodeJS.WriteStream): number | undefined {
  return isTTY ? columns || 80 : undefined;
}

export function flat(text: string): string {
  return text.replaceAll(/\s*[\n\r]\s*/g, " ");
}

const units = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
] as const;

/** How long ago a time was. A time in the future counts as now: clocks may go backwards. */
export function ago(time: string, now: number = Date.now()): string {
  const ms = now - Date.parse(time);
  for (const [size, name] of units) if (ms >= size) return `${Math.floor(ms / size)} ${name} ago`;
  return "now";
}
