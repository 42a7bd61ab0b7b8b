/**
 * The front matter of a Markdown file: what stands between two lines `---` at its beginning. A small part of YAML: text, numbers, true and
 * false, lists, and maps of these one level deep. What else YAML has is refused, so nothing means another thing here than there.
 */
import type { LineOf } from "./faults.ts";
import { pathKey } from "./json-places.ts";

type Scalar = string | number | boolean;
type Value = Scalar | readonly Scalar[];

export interface FrontMatter {
  readonly values: Readonly<Record<string, Value | Readonly<Record<string, Value>>>>;
  /** What follows it. */
  readonly body: string;
  readonly lineOf: LineOf;
}

/** Throws one sentence that names the line. */
export function parseFrontMatter(text: string): FrontMatter {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  if (lines[0]?.trimEnd() !== "---") throw new Error("it has no front matter: it must begin with a line `---`.");
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === "---");
  if (end === -1) throw new Error("its front matter does not end: a second line `---` is missing.");
  const reader = new Reader(lines.slice(0, end));
  return {
    values: reader.map(0, []),
    body: lines
      .slice(end + 1)
      .join("\n")
      .trim(),
    lineOf: (path) => reader.lines.get(pathKey(path)),
  };
}

class Reader {
  readonly lines = new Map<string, number>();
  readonly #lines: readonly string[];
  /** The first is `---`. */
  #at = 1;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  map(indent: number, path: readonly string[]): Record<string, Value | Record<string, Value>> {
    const found: Record<string, Value | Record<string, Value>> = {};
    for (let line = this.#next(); line !== undefined && line.indent >= indent; line = this.#next()) {
      if (line.indent > indent) throw this.#wrong("it is indented, and nothing above it has anything inside");
      const [, key, rest = ""] = /^([\w$][\w$-]*):(?:\s+(.*))?$/.exec(line.text) ?? [];
      if (key === undefined) throw this.#wrong("it is not `key: value`");
      if (Object.hasOwn(found, key)) throw this.#wrong(`${key} stands there twice`);
      this.lines.set(pathKey([...path, key]), this.#at + 1);
      const value = this.#value(rest, indent, [...path, key]);
      // As its own property, whatever it is called.
      Object.defineProperty(found, key, { value, enumerable: true });
    }
    return found;
  }

  #value(rest: string, indent: number, path: readonly string[]): Value | Record<string, Value> {
    const given = withoutComment(rest);
    if (given.startsWith("[")) return this.#flow(given);
    const scalar = given === "" ? undefined : this.#scalar(given);
    this.#at++;
    if (scalar !== undefined) return scalar;
    const below = this.#next();
    if (below !== undefined && below.indent >= indent && isItem(below.text)) return this.#list(below.indent, path);
    if (below === undefined || below.indent <= indent)
      throw this.#wrong(`${path.join(".")} has no value`, this.#at - 1);
    if (path.length > 1) throw this.#wrong("a map inside a map inside a map is not understood here");
    return this.map(below.indent, path) as Record<string, Value>;
  }

  #list(indent: number, path: readonly string[]): readonly Scalar[] {
    const items: Scalar[] = [];
    for (let line = this.#next(); line?.indent === indent && isItem(line.text); line = this.#next()) {
      this.lines.set(pathKey([...path, items.length]), this.#at + 1);
      items.push(this.#scalar(withoutComment(line.text.slice(1).trim())));
      this.#at++;
    }
    return items;
  }

  #flow(text: string): readonly Scalar[] {
    const parts = /^\[(.*)\]$/.exec(text)?.[1];
    if (parts === undefined) throw this.#wrong("a list that begins with `[` must end with `]` on the same line");
    const items = parts.match(/\s*(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')\s*|[^,]+/g) ?? [];
    const said = items.map((item) => item.trim()).filter((item) => item !== "");
    const scalars = said.map((item) => this.#scalar(item));
    this.#at++;
    return scalars;
  }

  #scalar(text: string): Scalar {
    if (text.startsWith('"')) return this.#quoted(text);
    if (text.startsWith("'")) {
      if (!/^'(?:[^']|'')*'$/.test(text)) throw this.#wrong("a quote is not closed, or something follows it");
      return text.slice(1, -1).replaceAll("''", "'");
    }
    const special = /^(?:[&*!|>%@`{}[\],?]|- )|: |:$/.exec(text);
    if (text === "" || special !== null) throw this.#wrong("text with signs that mean something to YAML needs quotes");
    // Nothing at all, to YAML; here it would be text.
    if (/^(?:~|null)$/i.test(text)) throw this.#wrong("there is no null here; leave the key out, or use quotes");
    if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)) return Number(text);
    return text === "true" || (text === "false" ? false : text);
  }

  #quoted(text: string): string {
    try {
      return JSON.parse(text) as string;
    } catch {
      throw this.#wrong("a quote is not closed, or something follows it");
    }
  }

  /** The next line that says something, where the reader is now. */
  #next(): { indent: number; text: string } | undefined {
    for (; this.#at < this.#lines.length; this.#at++) {
      const line = this.#lines[this.#at]!;
      const text = line.trim();
      if (text === "" || text.startsWith("#")) continue;
      if (/^ *\t/.test(line)) throw this.#wrong("it is indented with a tab; use spaces");
      return { indent: line.length - line.trimStart().length, text };
    }
    return undefined;
  }

  #wrong(what: string, at = this.#at): Error {
    return new Error(`line ${at + 1}: ${what}.`);
  }
}

function isItem(text: string): boolean {
  return text === "-" || text.startsWith("- ");
}

/** A comment begins with a space and a sign that is in no quotes; quotes are those at the beginning of a text. */
function withoutComment(text: string): string {
  let quote = "";
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!;
    if (quote !== "") {
      const escaped = quote === '"' ? sign === "\\" : sign === "'" && text[at + 1] === "'";
      if (escaped) at++;
      else if (sign === quote) quote = "";
    } else if ((sign === '"' || sign === "'") && beginsText(text, at)) quote = sign;
    else if (sign === "#" && (at === 0 || text[at - 1] === " ")) return text.slice(0, at).trim();
  }
  return text.trim();
}

/** At the beginning, or in a list behind what separates it. */
function beginsText(text: string, at: number): boolean {
  let before = at - 1;
  while (text[before] === " ") before--;
  return before < 0 || (text.startsWith("[") && (text[before] === "," || before === 0));
}
