/**
 * Cuts a command line into simple commands, as a POSIX shell or bash would. It does not need to know what belongs to what, only what may
 * run: every operator just ends a command. What it cannot follow makes the reading dynamic; it never throws.
 */
import { Cursor } from "./cursor.ts";
import type { FileUse, HereDocument, Word, Written } from "./types.ts";
import { WordReader } from "./word.ts";

/** Deeper ones are not entered: what is inside is then seen as if it stood outside, and the reading is dynamic anyway. */
export const deepest = 32;

interface Open {
  words: Word[];
  assigns: boolean;
  document: HereDocument | undefined;
}

export class Scan {
  readonly written: Written[] = [];
  readonly files: FileUse[] = [];
  dynamic = false;
  readonly #cursor: Cursor;
  readonly #words: WordReader;
  #depth: number;
  #command: Open = { words: [], assigns: false, document: undefined };
  #documents: HereDocument[] = [];

  constructor(text: string, depth = 0) {
    this.#cursor = new Cursor(text);
    this.#depth = depth;
    this.#words = new WordReader(this.#cursor, {
      inside: () => this.#inside(),
      text: (inner) => this.#text(inner),
    });
  }

  all(): this {
    this.#list(false);
    return this;
  }

  /** As between double quotes: only what is substituted counts. */
  substitutions(): this {
    this.#words.quoted("");
    this.dynamic = true;
    return this;
  }

  /** The commands of a substitution, up to its closing parenthesis. */
  #inside(): void {
    this.dynamic = true;
    if (this.#depth >= deepest) return;
    this.#depth++;
    const outer = this.#command;
    this.#command = { words: [], assigns: false, document: undefined };
    if (!this.#list(true)) this.dynamic = true;
    this.#command = outer;
    this.#depth--;
  }

  /** Commands that stand in a text of their own, such as between backticks, or only the substitutions in such a text. */
  #text(inner: string, what: "all" | "substitutions" = "all"): void {
    this.dynamic = true;
    if (this.#depth >= deepest) return;
    const scan = new Scan(inner, this.#depth + 1)[what]();
    this.written.push(...scan.written);
    this.files.push(...scan.files);
  }

  /** False where the closing parenthesis did not come. */
  #list(closes: boolean): boolean {
    const cursor = this.#cursor;
    for (let open = 0; !cursor.done;) {
      cursor.match(/(?:[ \t]|\\\n)+/y);
      switch (cursor.next) {
        case "":
          break;
        case "\n":
          cursor.take();
          this.#finish();
          this.#readDocuments();
          break;
        case "#":
          cursor.match(/[^\n]*/y);
          break;
        case "(":
          // `f()`, `a=(…)`, `@(…)` and `((…))` are more than a subshell.
          if (this.#command.words.length > 0 || this.#command.assigns || cursor.text[cursor.at + 1] === "(")
            this.dynamic = true;
          cursor.take();
          this.#finish();
          open++;
          break;
        case ")":
          cursor.take();
          this.#finish();
          if (open > 0) open--;
          else if (closes) return true;
          else this.dynamic = true;
          break;
        case "&":
          if (cursor.match(/&>>?/y) !== "") this.#target("write");
          else this.#operator();
          break;
        case ";":
        case "|":
          this.#operator();
          break;
        case "<":
        case ">":
          this.#redirection();
          break;
        default:
          this.#word();
      }
    }
    this.#finish();
    return !closes;
  }

  #operator(): void {
    this.#cursor.match(/[;&|]/y);
    this.#finish();
  }

  #word(): void {
    const { word, assigns, number } = this.#words.read();
    // `2>` and `{name}>` name what is redirected.
    if (number && /[<>]/.test(this.#cursor.next)) return;
    if (assigns && this.#command.words.length === 0) this.#command.assigns = true;
    else this.#command.words.push(word);
    if (word.dynamic) this.dynamic = true;
  }

  #redirection(): void {
    const operator = this.#cursor.match(/<<<|<<-?|<>|<&|>&|>>|>\||<\(|>\(|<|>/y);
    switch (operator) {
      case "<(":
      case ">(":
        this.#inside();
        this.#command.words.push({ text: "", dynamic: true, glob: false });
        return;
      case "<<<": {
        const { text } = this.#operand();
        this.#command.document = { delimiter: "", quoted: true, indented: false, body: text };
        return;
      }
      case "<<":
      case "<<-":
        return this.#document(operator === "<<-");
      case "<&":
      case ">&":
        if (this.#cursor.match(/[ \t]*(?:\d+-?|-)(?![^\s;&|()<>])/y) !== "") return;
        return this.#target(operator === ">&" ? "write" : "read");
      default:
        return this.#target(operator === "<" ? "read" : "write");
    }
  }

  #target(op: FileUse["op"]): void {
    const { text, dynamic, glob } = this.#operand();
    // To zsh the `!` of `>! file` belongs to the operator.
    if (dynamic || glob || text === "" || /^(?:~[^/]|!)/.test(text)) this.dynamic = true;
    if (text !== "" && !/^\/dev\/(?:null|stdin|stdout|stderr|tty|fd\/\d+)$/.test(text))
      this.files.push({ path: text, op });
  }

  #operand(): Word {
    this.#cursor.match(/(?:[ \t]|\\\n)+/y);
    if (this.#cursor.done || /[\n;&|()<>]/.test(this.#cursor.next)) {
      this.dynamic = true;
      return { text: "", dynamic: true, glob: false };
    }
    const { word } = this.#words.read();
    if (word.dynamic) this.dynamic = true;
    return word;
  }

  #document(indented: boolean): void {
    const from = this.#cursor.at;
    const { text, dynamic } = this.#operand();
    const raw = this.#cursor.text.slice(from, this.#cursor.at).trim();
    const quoted = /['"\\]/.test(raw);
    // Nothing is expanded in it: `<<$x` ends at a line `$x`.
    const document = {
      delimiter: dynamic ? raw.replace(/\$?['"]|\\/g, "").replace(/['"]/g, "") : text,
      quoted,
      indented,
      body: "",
    };
    this.#command.document = document;
    this.#documents.push(document);
  }

  /** The lines after the one on which they were begun. */
  #readDocuments(): void {
    for (const document of this.#documents) {
      const lines: string[] = [];
      for (let ended = false; !ended;) {
        if (this.#cursor.done) {
          this.dynamic = true;
          break;
        }
        const line = this.#documentLine(document.quoted);
        ended = (document.indented ? line.replace(/^\t+/, "") : line) === document.delimiter;
        if (!ended) lines.push(line);
      }
      document.body = lines.join("\n");
      if (!document.quoted && /[$`\\]/.test(document.body)) this.#text(document.body, "substitutions");
    }
    this.#documents = [];
  }

  /** Lines that go on are put together, and may make the one that ends the document. */
  #documentLine(quoted: boolean): string {
    for (let line = ""; ;) {
      const piece = this.#cursor.match(/[^\n]*/y);
      this.#cursor.take();
      const escapes = piece.length - piece.replace(/\\+$/, "").length;
      if (quoted || escapes % 2 === 0 || this.#cursor.done) return line + piece;
      line += piece.slice(0, -1);
    }
  }

  #finish(): void {
    const { words, assigns, document } = this.#command;
    if (assigns) this.dynamic = true;
    if (words.length > 0) this.written.push({ words, assigns, document });
    this.#command = { words: [], assigns: false, document: undefined };
  }
}
