/** Where things stand in a JSON text, for those who wrote it by hand: the line of each key, and of the first thing that is no JSON. */

export interface JsonPlaces {
  /** From 1, by the path of the value. */
  readonly lineOf: (path: readonly PropertyKey[]) => number | undefined;
  /** The line where it stops being JSON. */
  readonly brokenLine: number | undefined;
}

export function jsonPlaces(text: string): JsonPlaces {
  const scanner = new Scanner(text);
  let brokenLine: number | undefined;
  try {
    scanner.whole();
  } catch {
    brokenLine = scanner.line;
  }
  return { lineOf: (path) => scanner.lines.get(pathKey(path)), brokenLine };
}

export function pathKey(path: readonly PropertyKey[]): string {
  return JSON.stringify(path.map(String));
}

class Scanner {
  readonly lines = new Map<string, number>();
  readonly #text: string;
  #at = 0;
  /** As far as the lines are counted: not from the beginning for each key of a long file. */
  #counted = 0;
  #line = 1;

  constructor(text: string) {
    this.#text = text;
  }

  get line(): number {
    for (; this.#counted < this.#at; this.#counted++) if (this.#text[this.#counted] === "\n") this.#line++;
    return this.#line;
  }

  whole(): void {
    this.#value([]);
    if (this.#at < this.#text.length) throw new Error("more follows");
  }

  #value(path: readonly string[]): void {
    this.#take(/\s*/y);
    const first = this.#text[this.#at];
    if (first === "{") this.#list("}", () => this.#member(path));
    else if (first === "[") this.#list("]", (index) => this.#element([...path, String(index)]));
    else this.#take(/"(?:[^"\\\u0000-\u001f]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y);
    this.#take(/\s*/y);
  }

  #list(end: string, one: (index: number) => void): void {
    this.#at++;
    this.#take(/\s*/y);
    for (let index = 0; this.#text[this.#at] !== end; index++) {
      if (index > 0) this.#take(/,\s*/y);
      one(index);
    }
    this.#at++;
  }

  #element(path: readonly string[]): void {
    this.lines.set(pathKey(path), this.line);
    this.#value(path);
  }

  #member(path: readonly string[]): void {
    const { line } = this;
    const key = this.#take(/"(?:[^"\\\u0000-\u001f]|\\.)*"/y);
    const inner = [...path, String(JSON.parse(key))];
    this.lines.set(pathKey(inner), line);
    this.#take(/\s*:/y);
    this.#value(inner);
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) throw new Error("not JSON");
    this.#at = pattern.lastIndex;
    return found[0];
  }
}
