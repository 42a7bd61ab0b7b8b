/** Makes text from agents, files and commands harmless to a terminal. */

/** Escape sequences, 7 and 8 bit: CSI, strings (OSC, DCS, ...), and short ones. An unclosed string ends with its line. */
const sequences =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x9c|\x1b\\)?|\x1b[ -/]*[0-~]?/g;

/** C0 and C1 without tab and newline, marks of text direction, and invisible characters. */
const invisible = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

const harmless = /^[\n\t -~]*$/;

export function stripAnsi(text: string): string {
  return text.replace(sequences, "");
}

/** Text without escape sequences, control or invisible characters; it may have several lines. */
export function printable(text: string): string {
  if (harmless.test(text)) return text;
  return stripAnsi(text)
    .replace(/\r+\n|[\r\u2028\u2029]/g, "\n")
    .replace(invisible, "")
    .toWellFormed();
}

/** `printable` on one line. */
export function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, " ").trim();
}
