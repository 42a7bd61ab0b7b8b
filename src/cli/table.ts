interface Row {
  readonly cells: readonly string[];
  /** A line under the row, from the second column on. */
  readonly below?: string | undefined;
}

/** Columns as wide as their widest cell; the last one is not filled up. A row stays one, whatever an agent said. */
export function table(head: readonly string[], given: readonly Row[]): string {
  const rows = given.map(({ cells, below }) => ({ cells: cells.map(flat), below: below && flat(below) }));
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map(({ cells }) => (cells[column] ?? "").length)),
  );
  const line = (cells: readonly string[]): string =>
    `${cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd()}\n`;
  const indent = " ".repeat((widths[0] ?? 0) + 2);
  return [
    line(head),
    ...rows.flatMap(({ cells, below }) => [line(cells), ...(below === undefined ? [] : [`${indent}${below}\n`])]),
  ].join("");
}

export function flat(text: string): string {
  return text.replaceAll(/\s*[\n\r]\s*/g, " ");
}
