/** Text from outside within Markdown, so that it cannot become a part of the document around it. */
import { oneLine, printable } from "../events/printable.ts";

/** A code block whose fence is longer than any run of backticks in it. */
export function fence(text: string, language = ""): string {
  return fenceAsIs(printable(text), language);
}

/** The same with every character as it is: for programs, never for a terminal. */
export function fenceAsIs(text: string, language = ""): string {
  const marks = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${marks}${language}\n${text}\n${marks}`;
}

export function codeSpan(text: string): string {
  const inside = oneLine(text);
  const marks = "`".repeat(longestRun(inside) + 1);
  const space = inside === "" || /^`|`$/.test(inside) ? " " : "";
  return marks + space + inside + space + marks;
}

/**
 * Markdown within Markdown. A quote is a block of its own: a fence, a comment or a tag that is left open in it ends with
 * it, and no heading in it is one of ours.
 */
export function quote(markdown: string): string {
  return printable(markdown)
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
}

/** Words within a line that are words and nothing else. */
export function escapeMarkdown(text: string): string {
  return oneLine(text).replace(/[\\`*_{}[\]<>#+!|~&-]/g, "\\$&");
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
