/** Finds secrets by the values of environment variables. */
import { type Finder, mark } from "./stream.ts";

const secretName = /KEY|TOKEN|SECRET|PASSWORD/i;
const shortest = 6;

/** Values of settings such as `MAX_TOKENS=32000` or `KEYRING=disabled`, which are not secrets. */
const harmless =
  /^(?:\d{1,9}|true|false|none|null|undefined|default|enabled|disabled|required|optional|always|system)$/i;

export const hasSecretName = (variable: string): boolean => secretName.test(variable);

/** Secret values of an environment, plain and escaped as in JSON, longest first. */
export function secretValues(env: Readonly<Record<string, string | undefined>>): string[] {
  const values = new Set<string>();
  for (const [name, given] of Object.entries(env)) {
    const value = given?.trim() ?? "";
    if (!hasSecretName(name) || value.length < shortest || harmless.test(value) || mark.includes(value)) continue;
    values.add(value);
    values.add(JSON.stringify(value).slice(1, -1));
  }
  return [...values].sort((a, b) => b.length - a.length);
}

export function valueFinder(values: readonly string[]): Finder | undefined {
  if (values.length === 0) return undefined;
  const pattern = new RegExp(values.map(escape).join("|"), "g");
  return {
    beginnings: values.map((value) => ({ units: Array.from(beginning(value), escape) })),
    find(text, from) {
      pattern.lastIndex = from;
      return pattern.exec(text);
    },
    undecidedFrom: (text, from) => Math.min(...values.map((value) => undecidedFrom(value, text, from))),
    replacement: () => mark,
  };
}

/** Index where the text ends with a prefix of the value. */
function undecidedFrom(value: string, text: string, from: number): number {
  let at = Math.max(from, text.length - value.length + 1) - 1;
  do at = text.indexOf(value.charAt(0), at + 1);
  while (at !== -1 && !value.startsWith(text.slice(at)));
  return at === -1 ? text.length : at;
}

/** A prefix that ends with a rare character. */
function beginning(value: string): string {
  const rare = value.slice(2, 8).search(/[^a-z \n.,/"'()=]/);
  return value.slice(0, rare === -1 ? shortest : rare + 3);
}

function escape(text: string): string {
  return text.replace(/[^A-Za-z0-9_ ]/g, (char) =>
    char === "\n" ? "\\n" : `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
