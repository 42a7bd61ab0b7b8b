/** Quotes text from outside in Markdown so that it cannot change the document around it. */
import { oneLine, printable } from "../events/printable.ts";

/** A code block whose fence is longer than any run of backticks in the text. */
export function fence(text: string, language = ""): string {
  return fenceAsIs(printable(text), language);
}

/** Like `fence`, with every character unchanged: for programs, never for a terminal. */
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

/** Markdown inside a block quote: a fence, comment or tag left open in it ends with the quote, and its headings stay inside. */
export function quote(markdown: string): string {
  return printable(markdown)
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
}

/** Escapes text for use within a line, so that no character is markup. */
export function escapeMarkdown(text: string): string {
  return oneLine(text).replace(/[\\`*_{}[\]<>#+!|~&-]/g, "\\$&");
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
