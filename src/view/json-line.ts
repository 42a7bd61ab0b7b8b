/** Formats a value as one line of JSON. Characters that a terminal might act on become JSON escapes, so a parser reads the same value. */
export function jsonLine(value: unknown): string {
  return printableJson(JSON.stringify(value));
}

/** The same for text that is JSON already. */
export function printableJson(json: string): string {
  return `${json.replace(/[\u007f-\u009f\u2028\u2029]/g, escaped)}\n`;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
