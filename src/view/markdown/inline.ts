/** What Markdown marks within a paragraph, as nodes. Linear in the text, however it is made. */
import { safeAddress } from "./address.ts";
import type { Inline } from "./nodes.ts";
import { type Token, tokenize } from "./tokens.ts";

/** What is begun within each other further than this is text: so many levels nobody wrote, and each costs. */
const deepest = 16;

/** Something that was begun: what it is made of is known when it ends. */
interface Frame {
  readonly letter: string;
  length: number;
  readonly both: boolean;
  /** It is taken as closed where the text breaks off. */
  readonly heals: boolean;
  children: Inline[];
}

/** `tail`: the text goes on. What is open is shown as if it were closed, and half a mark is not shown. */
export function inline(text: string, tail = false): Inline[] {
  const whole = tail ? withoutHalfMark(text) : text;
  const tokens = tokenize(whole, tail);
  return build(tokens, 0, tokens.length, tail, true);
}

function withoutHalfMark(text: string): string {
  let end = text.length;
  while (end > 0 && "*_~`\\".includes(text[end - 1]!)) end--;
  if (text[end - 1] === "[") end -= text[end - 2] === "!" ? 2 : 1;
  return text.slice(0, end);
}

function build(tokens: readonly Token[], from: number, to: number, tail: boolean, links: boolean): Inline[] {
  const root: Inline[] = [];
  const frames: Frame[] = [];
  const here = () => frames.at(-1)?.children ?? root;
  for (let at = from; at < to; at++) {
    const token = tokens[at]!;
    switch (token.kind) {
      case "text":
      case "code":
        add(here(), token);
        break;
      case "link":
        if (links) here().push({ kind: "link", href: token.href, target: token.href, children: [text(token.text)] });
        else add(here(), text(token.text));
        break;
      case "newline":
      case "break":
        if (token.kind === "break") here().push({ kind: "break" });
        else add(here(), text("\n"));
        break;
      case "marks":
        marks(token, frames, root, at + 1 < to);
        break;
      case "open":
        at = bracket(tokens, at, to, here(), tail, links);
        break;
      case "close":
        if (!token.linked) add(here(), text("]"));
        break;
    }
  }
  while (frames.length > 0) {
    const last = frames.at(-1)!;
    if (tail && last.heals) wrap(frames, root, Math.min(last.length, last.letter === "~" ? 2 : 3));
    else dissolve(frames, root);
  }
  return root;
}

/** The index of the token that was dealt with last. */
function bracket(
  tokens: readonly Token[],
  at: number,
  to: number,
  into: Inline[],
  tail: boolean,
  links: boolean,
): number {
  const opener = tokens[at] as Extract<Token, { kind: "open" }>;
  const { close, target, image } = opener;
  if (close !== undefined && close < to && target !== undefined) {
    // A link within a link is its label.
    if (!links) return at;
    const inside = build(tokens, at + 1, close, tail && opener.pending === true, false);
    if (opener.pending === true) for (const node of inside) add(into, node);
    else
      into.push({
        kind: "link",
        href: safeAddress(target),
        target,
        children: inside.length === 0 ? [text(target)] : inside,
      });
    return close;
  }
  // Perhaps a link that is still being written: its label is shown as it will be.
  if (opener.pending === true && links) {
    const end = close === undefined || close >= to ? to : close;
    for (const node of build(tokens, at + 1, end, tail, false)) add(into, node);
    return end === close ? close : to;
  }
  add(into, text(image ? "![" : "["));
  return at;
}

function marks(token: Extract<Token, { kind: "marks" }>, frames: Frame[], root: Inline[], more: boolean): void {
  const { letter, before, after } = token;
  const left =
    after !== "" && !/\s/.test(after) && (!punctuation.test(after) || before === "" || /[\s\p{P}\p{S}]/u.test(before));
  const right =
    before !== "" && !/\s/.test(before) && (!punctuation.test(before) || after === "" || /[\s\p{P}\p{S}]/u.test(after));
  // Within a word an underscore is a part of it: `snake_case`.
  const opens = letter === "_" ? left && (!right || punctuation.test(before)) : left;
  const closes = letter === "_" ? right && (!left || punctuation.test(after)) : right;
  let { length } = token;
  while (closes && length > 0) {
    const at = opener(frames, letter, length, opens);
    if (at === -1) break;
    while (frames.length > at + 1) dissolve(frames, root);
    const used = Math.min(length, frames[at]!.length, letter === "~" ? 2 : 3);
    wrap(frames, root, used);
    length -= used;
  }
  if (length === 0) return;
  const fits = letter !== "~" || length === 2;
  if (opens && fits && more && length <= 3 && frames.length < deepest)
    frames.push({
      letter,
      length,
      both: closes,
      heals: length > 1 || before === "" || /\s/.test(before),
      children: [],
    });
  else add(frames.at(-1)?.children ?? root, text(letter.repeat(length)));
}

const punctuation = /[\p{P}\p{S}]/u;

/** The nearest frame that these marks may end. */
function opener(frames: readonly Frame[], letter: string, length: number, both: boolean): number {
  for (let at = frames.length - 1; at >= 0; at--) {
    const frame = frames[at]!;
    if (frame.letter !== letter || (letter === "~" && length !== 2)) continue;
    // As CommonMark has it, so that `*a**b*` is one emphasis.
    const odd = (frame.both || both) && (frame.length + length) % 3 === 0 && frame.length % 3 !== 0;
    if (!odd) return at;
  }
  return -1;
}

/** Ends the innermost frame with so many of its marks; those that are left stay open around it. */
function wrap(frames: Frame[], root: Inline[], used: number): void {
  const frame = frames.at(-1)!;
  let node = frame.children;
  if (frame.letter === "~") node = [{ kind: "del", children: node }];
  else {
    if (used > 1) node = [{ kind: "strong", children: node }];
    if (used % 2 === 1) node = [{ kind: "em", children: node }];
  }
  frame.length -= used;
  if (frame.length > 0) {
    frame.children = node;
    return;
  }
  frames.pop();
  (frames.at(-1)?.children ?? root).push(...node);
}

/** What was never closed is the letters it was written with. */
function dissolve(frames: Frame[], root: Inline[]): void {
  const { letter, length, children } = frames.pop()!;
  const into = frames.at(-1)?.children ?? root;
  add(into, text(letter.repeat(length)));
  for (const node of children) add(into, node);
}

function text(words: string): Inline {
  return { kind: "text", text: words };
}

/** Text beside text becomes one. */
function add(into: Inline[], node: Inline): void {
  const last = into.at(-1);
  if (node.kind !== "text" || last?.kind !== "text") into.push(node);
  else into[into.length - 1] = text(last.text + node.text);
}
