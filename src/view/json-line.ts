/** A value as one line of JSON. What a terminal might obey stands there as escapes, which mean the same to a program. */
export function jsonLine(value: unknown): string {
  return printableJson(JSON.stringify(value));
}

/** The same of a value that is JSON already. */
export function printableJson(json: string): string {
  return `${json.replace(/[\u007f-\u009f\u2028\u2029]/g, escaped)}\n`;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
