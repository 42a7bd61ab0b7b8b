import type { Align, Block } from "./nodes.ts";
import { goesOn, isPending, type Lines, words } from "./source.ts";

/** More columns than this nobody reads. */
const widest = 64;

export function table(source: Lines, at: number): { block: Block; to: number } {
  const { lines } = source;
  const head = cells(lines[at]!);
  const align = cells(lines[at + 1] ?? "").map(alignment);
  let end = Math.min(lines.length, at + 2);
  const from = end;
  const most = from + Math.ceil(Math.max(0, source.left.nodes) / (head.length + 1));
  while (end < Math.min(lines.length, most) && isRow(source, end)) end++;
  const row = (line: string, to: number) => cells(line).map((cell) => words(source, cell, to));
  const rows = lines.slice(from, end).map((line, index) => {
    const cellsOfRow = row(line, from + index + 1).slice(0, head.length);
    source.left.nodes -= head.length;
    return [...cellsOfRow, ...head.slice(cellsOfRow.length).map(() => [])];
  });
  return {
    block: { kind: "table", align: head.map((_, index) => align[index]), head: row(lines[at]!, at + 1), rows },
    to: end,
  };
}

function isRow(source: Lines, at: number): boolean {
  return !isPending(source, at) && (source.lines[at]!.startsWith("|") || goesOn(source, at));
}

function alignment(dashes: string): Align {
  if (!dashes.endsWith(":")) return dashes.startsWith(":") ? "left" : undefined;
  return dashes.startsWith(":") ? "center" : "right";
}

function cells(line: string): string[] {
  const plain = line.trim();
  const found: string[] = [];
  let cell = "";
  let from = plain.startsWith("|") ? 1 : 0;
  for (let at = plain.indexOf("|", from); at !== -1 && found.length < widest; at = plain.indexOf("|", at + 1)) {
    if (plain[at - 1] === "\\") {
      cell += `${plain.slice(from, at - 1)}|`;
    } else {
      found.push((cell + plain.slice(from, at)).trim());
      cell = "";
    }
    from = at + 1;
  }
  if (from < plain.length && found.length < widest) found.push((cell + plain.slice(from)).trim());
  return found;
}
