/** What means something within a paragraph, found in one pass. */
import { safeAddress } from "./address.ts";
import { backticks, codeAt, runEnd, type Ticks } from "./code-spans.ts";
import { targetAt } from "./link-target.ts";

export type Token =
  | { readonly kind: "text" | "code"; readonly text: string }
  | { readonly kind: "link"; readonly href: string; readonly text: string }
  | { readonly kind: "newline" | "break" }
  | {
      readonly kind: "marks";
      readonly letter: string;
      readonly length: number;
      readonly before: string;
      readonly after: string;
    }
  /** `close` is the index of the token that ends the label; `target` what is in the parentheses after it. */
  | {
      readonly kind: "open";
      readonly image: boolean;
      close?: number | undefined;
      target?: string | undefined;
      /** Its address is still being written. */
      pending?: boolean | undefined;
    }
  /** `linked`: an address came after it. */
  | { readonly kind: "close"; readonly linked: boolean };

/** More than this in one paragraph is nothing that anybody wrote: the rest is text. */
const most = 10_000;
const special = /[\\`*_~[\]<&\n]|!\[|https?:\/\//g;
const escapable = /[!-/:-@[-`{-~]/;
const address = /https?:\/\/[^\s<>"'`)\]*]{1,2040}/y;
const angled = /<((?:https?:\/\/|mailto:)[^\s<>]{1,2040}|[\w.+-]{1,64}@[\w.-]{1,255})>/iy;
const lineBreak = /<br *\/?>/iy;
const entity = /&(amp|lt|gt|quot|#39|apos|nbsp);/y;
const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  apos: "'",
  nbsp: "\u00a0",
};

interface Taken {
  readonly tokens: readonly Token[];
  readonly end: number;
}

/** `tail`: the text goes on, and what was not closed yet may still be. */
export function tokenize(text: string, tail: boolean): Token[] {
  const tokens: Token[] = [];
  const opened: number[] = [];
  const ticks = backticks(text);
  let from = 0;
  const plain = (to: number) => to > from && tokens.push({ kind: "text", text: text.slice(from, to) });
  special.lastIndex = 0;
  for (let found = special.exec(text); found !== null && tokens.length < most; found = special.exec(text)) {
    const at = found.index;
    const taken = text[at] === "]" ? closeAt(text, at, tokens, opened, tail) : tokenAt(text, at, ticks, tail);
    if (taken === undefined) continue;
    // The spaces at the end of a line are no part of it.
    plain(text[at] === "\n" ? lineEnd(text, from, at) : at);
    for (const token of taken.tokens) {
      if (token.kind === "close") tie(tokens, opened);
      if (token.kind === "open") opened.push(tokens.length);
      tokens.push(token);
    }
    from = taken.end;
    special.lastIndex = from;
  }
  plain(text.length);
  if (tail)
    for (const at of opened) if (tokens[at]!.kind === "open") (tokens[at] as { pending?: boolean }).pending = true;
  return tokens;
}

function tokenAt(text: string, at: number, ticks: Ticks, tail: boolean): Taken | undefined {
  switch (text[at]) {
    case "\\":
      return escapable.test(text[at + 1] ?? "")
        ? one({ kind: "text", text: text[at + 1]! }, at + 2)
        : backslash(text, at);
    case "`":
      return codeToken(text, at, ticks, tail);
    case "*":
    case "_":
    case "~":
      return marksAt(text, at);
    case "[":
      return one({ kind: "open", image: false }, at + 1);
    case "!":
      return one({ kind: "open", image: true }, at + 2);
    case "<":
      return angledAt(text, at);
    case "&": {
      const [whole, name] = match(entity, text, at) ?? [];
      return whole === undefined ? undefined : one({ kind: "text", text: entities[name!]! }, at + whole.length);
    }
    case "\n":
      return newlineAt(text, at);
    default: {
      const [found = ""] = match(address, text, at) ?? [];
      const href = safeAddress(withoutStops(found));
      return href === undefined ? undefined : one({ kind: "link", href, text: href }, at + href.length);
    }
  }
}

function one(token: Token, end: number): Taken {
  return { tokens: [token], end };
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

function withoutStops(found: string): string {
  let end = found.length;
  while (end > 0 && ".,;:!?".includes(found[end - 1]!)) end--;
  return found.slice(0, end);
}

function backslash(text: string, at: number): Taken | undefined {
  return text[at + 1] === "\n" ? one({ kind: "break" }, at + 2) : undefined;
}

function lineEnd(text: string, from: number, at: number): number {
  let end = at;
  while (end > from && text[end - 1] === " ") end--;
  return end;
}

function newlineAt(text: string, at: number): Taken {
  let end = at + 1;
  while (text[end] === " ") end++;
  return one({ kind: text.endsWith("  ", at) ? "break" : "newline" }, end);
}

function angledAt(text: string, at: number): Taken | undefined {
  const [broken] = match(lineBreak, text, at) ?? [];
  if (broken !== undefined) return one({ kind: "break" }, at + broken.length);
  const [whole, inside] = match(angled, text, at) ?? [];
  if (whole === undefined || inside === undefined) return undefined;
  const href = safeAddress(/^\w+:/.test(inside) ? inside : `mailto:${inside}`);
  return href === undefined ? undefined : one({ kind: "link", href, text: inside }, at + whole.length);
}

function marksAt(text: string, at: number): Taken {
  const end = runEnd(text, at);
  const [letter, length] = [text[at]!, end - at];
  return one({ kind: "marks", letter, length, before: text[at - 1] ?? "", after: text[end] ?? "" }, end);
}

function codeToken(text: string, at: number, ticks: Ticks, tail: boolean): Taken {
  const found = codeAt(text, at, ticks, tail);
  if (found !== undefined) return one({ kind: "code", text: found.code }, found.end);
  const end = runEnd(text, at);
  return one({ kind: "text", text: text.slice(at, end) }, end);
}

/** The end of a label, with the parentheses after it; undefined where nothing was begun. */
function closeAt(text: string, at: number, tokens: Token[], opened: number[], tail: boolean): Taken | undefined {
  if (opened.length === 0) return undefined;
  const opener = tokens[opened.at(-1)!] as Extract<Token, { kind: "open" }>;
  if (text[at + 1] === "(") {
    const target = targetAt(text, at + 2, tail);
    opener.target = target?.text;
    opener.pending = target?.pending;
    if (target !== undefined) return one({ kind: "close", linked: true }, target.end);
  }
  opener.pending = tail && at + 1 === text.length;
  return one({ kind: "close", linked: false }, at + 1);
}

function tie(tokens: readonly Token[], opened: number[]): void {
  const opener = tokens[opened.pop()!] as Extract<Token, { kind: "open" }>;
  opener.close = tokens.length;
}
