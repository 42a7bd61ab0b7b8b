/** Makes text from agents, files and commands safe to print on a terminal. */

/**
 * Escape sequences in 7 and 8 bit form: CSI, strings (OSC, DCS, ...) and short sequences. An unclosed string ends at
 * the end of its line.
 */
const sequences =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x9c|\x1b\\)?|\x1b[ -/]*[0-~]?/g;

/** C0 and C1 except tab and newline, text direction marks, and invisible characters. */
const invisible = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

const harmless = /^[\n\t -~]*$/;

export function stripAnsi(text: string): string {
  return text.replace(sequences, "");
}

/** Removes escape sequences, control characters and invisible characters. The result may have several lines. */
export function printable(text: string): string {
  if (harmless.test(text)) return text;
  return stripAnsi(text)
    .replace(/\r+\n|[\r\u2028\u2029]/g, "\n")
    .replace(invisible, "")
    .toWellFormed();
}

/** `printable` as a single line. */
export function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, " ").trim();
}
