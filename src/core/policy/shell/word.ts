/** One word of a command line: quotes taken away, and whether all of it is known. */
import type { Cursor } from "./cursor.ts";
import type { Word } from "./types.ts";

export interface Substitutions {
  /** Commands follow, up to a closing parenthesis. */
  readonly inside: () => void;
  /** Commands that stand in a text of their own. */
  readonly text: (inner: string) => void;
}

export interface ReadWord {
  readonly word: Word;
  /** `NAME=…` */
  readonly assigns: boolean;
  /** Digits, or a name in braces: before `<` or `>` it names what is redirected. */
  readonly number: boolean;
}

/** Quotes and braces inside of each other; deeper ones are not followed. */
const deepest = 64;

const plain = /[^\s\\'"$`*?[{},.=;&|()<>]+/y;

export class WordReader {
  readonly #cursor: Cursor;
  readonly #on: Substitutions;
  #text = "";
  #dynamic = false;
  #depth = 0;

  constructor(cursor: Cursor, on: Substitutions) {
    this.#cursor = cursor;
    this.#on = on;
  }

  read(): ReadWord {
    const cursor = this.#cursor;
    // A substitution inside of this word has words of its own.
    const outer = { text: this.#text, dynamic: this.#dynamic };
    this.#text = "";
    this.#dynamic = false;
    const from = cursor.at;
    let [glob, brace, assigns, quotes] = [false, false, false, false];
    while (!cursor.done) {
      const character = cursor.next;
      if (/[ \t\n;&|()<>]/.test(character)) {
        // `@(…)`, `name(…)`: what it comes to is not known here.
        if (character === "(" && cursor.at > from) this.#dynamic = true;
        break;
      }
      const run = cursor.match(plain);
      if (run !== "") {
        this.#text += run;
        continue;
      }
      cursor.take();
      quotes ||= "\\'\"$`".includes(character);
      if (character === "\\") this.#escaped();
      else if (character === "'") this.#single();
      else if (character === '"') this.quoted('"');
      else if (character === "$") this.#expansion();
      else if (character === "`") this.#backticks();
      else {
        if (character === "=") assigns ||= !quotes && /^[A-Za-z_]\w*(?:\[.*\])?\+?$/s.test(this.#text);
        else if (character === "{") brace ||= cursor.next !== "}" || this.#text !== "";
        else if (character === "," || (character === "." && cursor.next === ".")) this.#dynamic ||= brace;
        else if (character === "*" || character === "?") glob = true;
        else if (character === "[") glob ||= !/\s/.test(cursor.next) && !cursor.done;
        this.#text += character;
      }
    }
    const word = { text: this.#text, dynamic: this.#dynamic, glob };
    this.#text = outer.text;
    this.#dynamic = outer.dynamic;
    return { word, assigns, number: !quotes && /^(?:\d+|\{\w+\})$/.test(word.text) };
  }

  /** Up to the closing quote; with none, to the end of the text. */
  quoted(end: string): void {
    this.#deeper(() => this.#quoted(end));
  }

  #quoted(end: string): void {
    const cursor = this.#cursor;
    while (!cursor.done) {
      this.#text += cursor.match(/[^\\"$`]+/y);
      if (cursor.done) break;
      const character = cursor.take();
      if (character === end) return;
      if (character === "\\") {
        const next = cursor.take();
        if (next !== "\n") this.#text += /[$`"\\]/.test(next) ? next : `\\${next}`;
      } else if (character === "$") this.#expansion(true);
      else if (character === "`") this.#backticks();
      else this.#text += character;
    }
    if (end !== "") this.#dynamic = true;
  }

  #escaped(): void {
    const next = this.#cursor.take();
    if (next === "") this.#dynamic = true;
    else if (next !== "\n") this.#text += next;
  }

  #single(): void {
    const from = this.#cursor.at;
    const found = this.#cursor.until("'");
    if (found === undefined) this.#dynamic = true;
    this.#text += found ?? this.#cursor.text.slice(from);
  }

  /** After a `$`. */
  #expansion(betweenQuotes = false): void {
    const cursor = this.#cursor;
    const before = this.#dynamic;
    this.#dynamic = true;
    if (cursor.eat("(")) this.#keeping(this.#on.inside);
    else if (cursor.eat("{")) this.#deeper(() => this.#parameter());
    else if (!betweenQuotes && cursor.eat("'")) cursor.match(/[^'\\]*(?:\\[^][^'\\]*)*'?/y);
    else if (!betweenQuotes && cursor.eat('"')) this.quoted('"');
    // `$[…]` is an old way to calculate.
    else if (cursor.match(/[A-Za-z_]\w*|[0-9@*#?$![-]/y) === "") {
      this.#dynamic = before;
      this.#text += "$";
    }
  }

  /** After `${`: to the brace that closes it. What it comes to is not known; commands inside of it are seen. */
  #parameter(): void {
    const cursor = this.#cursor;
    const kept = this.#text;
    for (let open = 1; open > 0 && !cursor.done;) {
      const character = cursor.take();
      if (character === "\\") cursor.take();
      else if (character === "'") cursor.until("'");
      else if (character === '"') this.quoted('"');
      else if (character === "`") this.#backticks();
      else if (character === "{") open++;
      else if (character === "}") open--;
      else if (character === "$" && cursor.eat("(")) this.#keeping(this.#on.inside);
    }
    this.#text = kept;
  }

  #backticks(): void {
    this.#dynamic = true;
    const inner = this.#cursor.match(/[^`\\]*(?:\\[^][^`\\]*)*/y);
    this.#cursor.take();
    this.#keeping(() => this.#on.text(inner.replace(/\\([`$\\])/g, "$1")));
  }

  #deeper(read: () => void): void {
    if (this.#depth >= deepest) {
      this.#dynamic = true;
      return;
    }
    this.#depth++;
    read();
    this.#depth--;
  }

  /** Words inside of this one leave it as it is. */
  #keeping(read: () => void): void {
    const [text, dynamic] = [this.#text, this.#dynamic];
    read();
    this.#text = text;
    this.#dynamic = dynamic;
  }
}
