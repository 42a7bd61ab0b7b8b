/** Text from outside within HTML: it is letters and nothing else. */
import { oneLine, printable } from "../events/printable.ts";

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** What may stand between tags and in a quoted attribute. Also takes out what a terminal obeys and what turns text around. */
export function escapeHtml(text: string): string {
  return printable(text).replace(/[&<>"']/g, (letter) => entities[letter]!);
}

/** The same on one line. */
export function lineHtml(text: string): string {
  return escapeHtml(oneLine(text));
}

export function linkHtml(address: string, label: string): string {
  return `<a href="${escapeHtml(address)}" title="${escapeHtml(address)}" rel="noopener noreferrer nofollow">${label}</a>`;
}
