/** Markdown tables, fitted to the width by columns. */
import type { Align, Block } from "../../view/markdown/nodes.ts";
import type { Line } from "../line.ts";
import { fillStyled, plain, rowsOf, styledColumns } from "../wrap.ts";
import type { Look } from "./block.ts";
import { inlineText } from "./inline.ts";

type Table = Extract<Block, { readonly kind: "table" }>;

/** With narrower columns the table becomes a list. */
const narrowest = 6;
const between = " │ ";

/** `width` is the room left for the table. */
export function tableLines(table: Table, look: Look, width: number): Line[] {
  const { theme } = look;
  const head = table.head.map((cell) => theme.bold(inlineText(cell, look)));
  const rows = table.rows.map((row) => head.map((_, at) => inlineText(row[at] ?? [], look)));
  const widths = fittedWidths([head, ...rows], width - between.length * (head.length - 1));
  if (widths === undefined) return listed(head, rows);
  const rule = widths.map((columns) => "─".repeat(columns)).join("─┼─");
  return [
    rowLine(head, widths, table.align, look),
    { text: theme.border(rule), source: markdownRow(widths.map(() => "---")), wrap: "cut" },
    ...rows.map((row) => rowLine(row, widths, table.align, look)),
  ];
}

/** Undefined when there is no room for all columns. */
function fittedWidths(rows: readonly (readonly string[])[], room: number): number[] | undefined {
  const wanted = rows[0]!.map((_, at) => Math.max(1, ...rows.map((row) => styledColumns(row[at]!))));
  const total = wanted.reduce((sum, columns) => sum + columns, 0);
  if (total <= room) return wanted;
  if (wanted.reduce((sum, columns) => sum + Math.min(columns, narrowest), 0) > room) return undefined;
  // Shrink the widest columns first: all that are wider than `most` get `most` columns.
  let most = Math.max(...wanted);
  const taken = (limit: number): number => wanted.reduce((sum, columns) => sum + Math.min(columns, limit), 0);
  let least = narrowest;
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (taken(middle) <= room) least = middle;
    else most = middle - 1;
  }
  return wanted.map((columns) => Math.min(columns, least));
}

function rowLine(cells: readonly string[], widths: readonly number[], align: readonly Align[], look: Look): Line {
  const columns = cells.map((text, at) => rowsOf({ text }, widths[at]!).map((row) => row.text));
  const height = Math.max(...columns.map((rows) => rows.length));
  const edge = look.theme.border(between);
  const laid = Array.from({ length: height }, (_, row) =>
    columns.map((rows, at) => aligned(rows[row] ?? "", widths[at]!, align[at])).join(edge),
  );
  const source = markdownRow(cells.map((cell) => plain(cell).replaceAll("|", "\\|")));
  return { text: laid[0]!, source, wrap: "cut", laid };
}

function markdownRow(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function aligned(text: string, width: number, align: Align): string {
  const free = Math.max(0, width - styledColumns(text));
  const before = align === "right" ? free : align === "center" ? Math.floor(free / 2) : 0;
  return fillStyled(" ".repeat(before) + text, width);
}

function listed(head: readonly string[], rows: readonly (readonly string[])[]): Line[] {
  return rows.flatMap((row, index) => {
    const lines = row.map((cell, at): Line => ({ text: `${head[at]!}: ${cell}`, indent: "" }));
    return index === 0 ? lines : [{ text: "" }, ...lines];
  });
}
