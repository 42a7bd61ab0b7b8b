/** A message of the interface: a title, and lines with a bar before them. */
import { oneLine } from "../../events/printable.ts";
import type { Line } from "../line.ts";
import type { Theme } from "../theme.ts";

export function boxLines(title: string, lines: readonly Line[], theme: Theme): readonly Line[] {
  const bar = theme.border("│ ");
  return [
    { text: "" },
    { prefix: theme.border("╭ "), indent: bar, text: theme.bold(oneLine(title)) },
    ...lines.map((line): Line => ({
      ...line,
      prefix: `${bar}${line.prefix ?? ""}`,
      indent: `${bar}${line.indent ?? line.prefix ?? ""}`,
    })),
    { prefix: theme.border("╰"), text: "" },
  ];
}
