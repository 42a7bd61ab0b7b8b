/** JSON as people write it by hand, with comments and commas after the last, and where each part of it stands in the text. */

export type JsonNode =
  | { readonly kind: "object"; readonly start: number; readonly end: number; readonly members: readonly Member[] }
  | { readonly kind: "array"; readonly start: number; readonly end: number; readonly elements: readonly Element[] }
  | { readonly kind: "value"; readonly start: number; readonly end: number; readonly value: unknown };

export interface Element {
  readonly start: number;
  readonly end: number;
  readonly node: JsonNode;
  /** Where the comma after it stands. */
  readonly comma: number | undefined;
}

export interface Member extends Element {
  readonly key: string;
}

const deepest = 100;
const space = /(?:[\s\uFEFF]|\/\/[^\r\n]*|\/\*[^]*?\*\/)*/y;
const token = /"(?:[^"\\\u0000-\u001F]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/y;

/** Throws a SyntaxError where it is nothing of the kind. */
export function parseJsonText(text: string): JsonNode {
  const reader = new Reader(text);
  const node = reader.node(0);
  reader.skip();
  if (reader.at < text.length) throw reader.wrong();
  return node;
}

/** Its value, as JSON.parse would give it. */
export function valueOf(node: JsonNode): unknown {
  switch (node.kind) {
    case "object":
      return Object.fromEntries(node.members.map(({ key, node: value }) => [key, valueOf(value)]));
    case "array":
      return node.elements.map(({ node: value }) => valueOf(value));
    case "value":
      return node.value;
  }
}

class Reader {
  at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  node(depth: number): JsonNode {
    if (depth > deepest) throw this.wrong();
    this.skip();
    const start = this.at;
    if (this.#take("{")) {
      const members = this.#list("}", () => this.#member(depth));
      return { kind: "object", start, end: this.at, members };
    }
    if (this.#take("[")) {
      const elements = this.#list("]", () => this.#element(this.at, depth));
      return { kind: "array", start, end: this.at, elements };
    }
    return { kind: "value", start, value: this.#value(), end: this.at };
  }

  skip(): void {
    space.lastIndex = this.at;
    this.at += space.exec(this.#text)?.[0].length ?? 0;
  }

  wrong(): SyntaxError {
    return new SyntaxError(`unexpected text at ${this.at}`);
  }

  #list<Part extends Omit<Element, "comma">>(end: string, read: () => Part): (Part & Pick<Element, "comma">)[] {
    const parts: (Part & Pick<Element, "comma">)[] = [];
    for (;;) {
      this.skip();
      if (this.#take(end)) return parts;
      const part = read();
      this.skip();
      const comma = this.#text[this.at] === "," ? this.at++ : undefined;
      parts.push({ ...part, comma });
      if (comma !== undefined) continue;
      if (!this.#take(end)) throw this.wrong();
      return parts;
    }
  }

  #member(depth: number): Omit<Member, "comma"> {
    const start = this.at;
    const key = this.#value();
    this.skip();
    if (typeof key !== "string" || !this.#take(":")) throw this.wrong();
    return { ...this.#element(start, depth), key };
  }

  #element(start: number, depth: number): Omit<Element, "comma"> {
    const node = this.node(depth + 1);
    return { start, end: node.end, node };
  }

  #value(): unknown {
    token.lastIndex = this.at;
    const found = token.exec(this.#text)?.[0];
    if (found === undefined) throw this.wrong();
    const value: unknown = JSON.parse(found);
    this.at += found.length;
    return value;
  }

  #take(what: string): boolean {
    if (this.#text[this.at] !== what) return false;
    this.at++;
    return true;
  }
}
