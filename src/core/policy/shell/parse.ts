/**
 * Finds the simple commands and redirections of a command line in unbash's syntax tree. A syntax error, or any node
 * that is not listed here, makes the line dynamic. Commands inside such nodes are still found, so that deny rules
 * apply.
 */
import {
  forEachChild,
  parse,
  type Assignment,
  type Command,
  type Pipeline,
  type Redirection,
  type SyntaxNode,
  type Word as SyntaxWord,
  type WordPart,
} from "unbash";
import type { FileUse, Input, Word, Written } from "./types.ts";

export interface ParsedLine {
  readonly written: readonly Written[];
  readonly files: readonly FileUse[];
  readonly dynamic: boolean;
}

export function parseLine(line: string): ParsedLine {
  const visitor = new Visitor();
  visitor.visit(parse(line));
  // Bash drops NUL characters, other shells stop at them.
  if (line.includes("\0")) visitor.dynamic = true;
  return visitor;
}

/** Redirections to and from these devices have no effect. */
const harmlessDevices = /^\/dev\/(?:null|stdin|stdout|stderr|tty|fd\/\d+)$/;

class Visitor implements ParsedLine {
  readonly written: Written[] = [];
  readonly files: FileUse[] = [];
  dynamic = false;
  /** Input of the commands in a compound command: a pipe, or a redirection around all of them. */
  #input: Input | undefined;

  visit(node: SyntaxNode): void {
    switch (node.type) {
      case "Script":
        if (node.errors !== undefined && node.errors.length > 0) this.dynamic = true;
        return forEachChild(node, (child) => this.visit(child));
      case "Statement":
      case "AndOr":
      case "CompoundList":
      case "BraceGroup":
      case "Subshell":
        return forEachChild(node, (child) => this.visit(child));
      case "Pipeline":
        return this.#pipeline(node);
      case "Command":
        return this.#command(node, []);
      case "Redirected": {
        const input = this.#redirections(node.redirects);
        return this.#reading(input, () => this.visit(node.command));
      }
      case "Word":
        this.#word(node);
        return;
      default:
        this.dynamic = true;
        return forEachChild(node, (child) => this.visit(child));
    }
  }

  #reading(input: Input | undefined, visit: () => void): void {
    const outer = this.#input;
    this.#input = input ?? outer;
    visit();
    this.#input = outer;
  }

  #pipeline({ prefixes, commands }: Pipeline): void {
    // `/usr/bin/time` has the same name, and a shell other than bash starts it.
    const before = prefixes.flatMap((prefix) =>
      prefix.type === "Time" ? [literal("time"), ...(prefix.posix === undefined ? [] : [literal("-p")])] : [],
    );
    commands.forEach((command, at) =>
      this.#reading(at === 0 ? undefined : { text: undefined, isPiped: true }, () => {
        if (at > 0 || before.length === 0) return this.visit(command);
        if (command.type === "Command") return this.#command(command, before);
        this.written.push({ words: before, input: undefined });
        this.visit(command);
      }),
    );
  }

  #command({ name, prefix, args, redirects }: Command, before: readonly Word[]): void {
    const assignments = prefix.filter((part) => part.type === "Assignment");
    for (const assignment of assignments) this.#assignment(assignment);
    const own = [...(name === undefined ? [] : [name]), ...args].map((part) =>
      part.type === "Word" ? this.#word(part) : this.#assignment(part),
    );
    const input = this.#redirections(redirects) ?? this.#input;
    const words = [...before, ...own];
    if (words.length > 0) this.written.push({ words, input });
  }

  /** An assignment may change what any later word means, such as PATH. */
  #assignment({ text, name, append, index, value }: Assignment): Word {
    this.dynamic = true;
    const words = value.type === "Word" ? [value] : value.elements;
    const values = [...(index === undefined ? [] : [index]), ...words].map((word) => this.#word(word));
    const shown = value.type === "Word" && index === undefined;
    return {
      text: shown ? `${name}${append === true ? "+" : ""}=${values[0]?.text ?? ""}` : text,
      dynamic: values.some(({ dynamic }) => dynamic),
      glob: false,
    };
  }

  /** Returns the input of the command, if a redirection sets one. */
  #redirections(redirects: readonly Redirection[]): Input | undefined {
    let input: Input | undefined;
    for (const redirect of redirects) {
      // `{PATH}>file` sets a variable.
      if (redirect.descriptor?.type === "FileDescriptorVariable") this.dynamic = true;
      if (redirect.type === "HereDoc") {
        const { body, closing, delimiter } = redirect;
        for (const part of body.parts ?? []) this.#part(part);
        // A shell that does not know `$'...'` or `$"..."` looks for another delimiter.
        if (closing === undefined || delimiter === undefined || delimiter.text.includes("$")) this.dynamic = true;
        input = { text: body.text, isPiped: false };
      } else if (redirect.type === "HereString") {
        const word = redirect.target && this.#word(redirect.target);
        if (word === undefined || word.dynamic) this.dynamic = true;
        input = { text: word?.text ?? "", isPiped: false };
      } else if (this.#file(redirect.operator, redirect.target)) input = { text: undefined, isPiped: false };
    }
    return input;
  }

  /** Returns true when the command reads the file. */
  #file(operator: string, target: SyntaxWord | undefined): boolean {
    const word = target && this.#word(target);
    if (word === undefined) {
      this.dynamic = true;
      return false;
    }
    const { text, dynamic, glob } = word;
    const duplicates = operator === "<&" || operator === ">&";
    if (duplicates && !dynamic && /^(?:\d+-?|-)$/.test(text)) return false;
    // Bash reads `>& -x` as closing the output, followed by the word `x`. It also expands a file name after `>&` twice, quoted or not.
    if (duplicates && !/^[A-Za-z_./][\w./-]*$/.test(text)) this.dynamic = true;
    // In zsh the `!` of `>! file` belongs to the operator.
    if (dynamic || glob || text === "" || /^(?:~[^/]|!)/.test(text)) this.dynamic = true;
    const reads = operator === "<" || operator === "<&" || operator === "<>";
    if (text === "" || harmlessDevices.test(text)) return reads && text !== "/dev/null";
    this.files.push({ path: text, op: operator === "<" || operator === "<&" ? "read" : "write" });
    return reads;
  }

  /** Returns the word without quotes. Also finds commands in its substitutions. */
  #word({ text: source, value, parts }: SyntaxWord): Word {
    const isBrace = /\{[^]*(?:,|\.\.)/.test(unquoted(source, parts));
    if (isBrace) this.dynamic = true;
    if (parts === undefined)
      return { text: value, dynamic: isBrace, glob: unquoted(source, parts).includes("[") && value !== "[" };
    let text = "";
    let [dynamic, glob] = [isBrace, false];
    for (const part of parts) {
      const found = this.#part(part);
      text += found.text;
      dynamic ||= found.dynamic;
      glob ||= found.glob;
    }
    if (dynamic) this.dynamic = true;
    return { text, dynamic, glob: glob || unquoted(source, parts).includes("[") };
  }

  #part(part: WordPart): Word {
    switch (part.type) {
      case "Literal":
      case "SingleQuoted":
        return literal(part.value);
      case "Glob":
        for (const inner of part.parts ?? []) if (this.#part(inner).dynamic) return unknownWord(part.text);
        return { text: part.text, dynamic: false, glob: true };
      case "DoubleQuoted": {
        const parts = part.parts.map((inner) => this.#part(inner));
        return { text: parts.map(({ text }) => text).join(""), dynamic: parts.some((one) => one.dynamic), glob: false };
      }
      // Only bash and zsh know `$'...'`.
      case "AnsiCQuoted":
        this.dynamic = true;
        return unknownWord(part.value);
      case "BraceExpansion":
      case "ExtendedGlob":
        this.dynamic = true;
        forEachChild(part, (child) => this.visit(child));
        return unknownWord(part.text);
      default:
        this.dynamic = true;
        forEachChild(part, (child) => this.visit(child));
        return unknownWord("");
    }
  }
}

function literal(text: string): Word {
  return { text, dynamic: false, glob: false };
}

function unknownWord(text: string): Word {
  return { text, dynamic: true, glob: false };
}

/** Returns the unquoted source of a word, without escaped characters. */
function unquoted(source: string, parts: readonly WordPart[] | undefined): string {
  const plain = parts === undefined ? [source] : parts.flatMap((part) => (part.type === "Literal" ? [part.text] : []));
  return plain.join("").replace(/\\[^]/g, "");
}
