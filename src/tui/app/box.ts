/** A message of the interface: a title, and lines with a bar in front. */
import { oneLine } from "../../events/printable.ts";
import type { Box, BoxStyle } from "../../view/slash/box.ts";
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

/** The styled lines of a box, without its title. */
export function partLines({ lines }: Box, theme: Theme): readonly Line[] {
  const styles: Readonly<Record<BoxStyle, (text: string) => string>> = {
    ...{ plain: (text) => text, dim: theme.dim, bold: theme.bold, accent: theme.accent },
    ...{ success: theme.success, warning: theme.warning, error: theme.error },
  };
  return lines.map((parts): Line => ({ text: parts.map(({ text, style }) => styles[style](text)).join("") }));
}

/** The answer to a slash command. */
export function systemMessage(box: Box, theme: Theme): readonly Line[] {
  return boxLines(box.title, partLines(box, theme), theme);
}
