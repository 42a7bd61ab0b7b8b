/** Text from agents, files and commands, made harmless to a terminal. */

/**
 * Whole escape sequences, 7 and 8 bit: CSI, strings (OSC, DCS, ...), and the short ones. A string that is not closed ends
 * with its line, so that it cannot swallow the rest.
 */
const sequences =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x9c|\x1b\\)?|\x1b[ -/]*[0-~]?/g;

/** C0 and C1 without tab and newline; what turns the direction of text around or is not seen at all. */
const invisible = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

const harmless = /^[\n\t -~]*$/;

export function stripAnsi(text: string): string {
  return text.replace(sequences, "");
}

/** Text of several lines that does nothing in a terminal but appear. */
export function printable(text: string): string {
  if (harmless.test(text)) return text;
  return stripAnsi(text)
    .replace(/\r+\n|[\r\u2028\u2029]/g, "\n")
    .replace(invisible, "")
    .toWellFormed();
}

/** The same on one line. */
export function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, " ").trim();
}
