import type { Beginning } from "./beginnings.ts";

/** How secrets of one sort are found. */
export interface Finder {
  readonly beginnings: readonly Beginning[];
  /** Finds whole secrets; global. */
  readonly pattern: RegExp;
  /** Where the first thing begins that more text could make a secret, or a longer one; the length of the text when nothing does. */
  undecidedFrom(text: string, from: number): number;
  replacement(match: RegExpExecArray): string;
  /** Where a secret has no end of its own: what still belongs to it. */
  growth?(match: RegExpExecArray): Growth | undefined;
}

export interface Growth {
  /** Sticky; matches nothing, or what belongs to the secret. */
  readonly more: RegExp;
  /** Sticky; matches a rest that is empty or may yet belong to it. */
  readonly undecided: RegExp;
}

export const mark = "[redacted]";

/** How far back a pattern looks. */
export const lookbehind = 2;

export function replaceAll(finder: Finder, text: string): string {
  return createStream(finder).finish(text);
}

export interface Stream {
  push(text: string): string;
  flush(): string;
  /** Takes a text which is known to have nothing in it. */
  pass(text: string): void;
  /** The last text, or the whole of it. */
  finish(text: string): string;
  /** Nothing is held back and nothing grows. */
  readonly idle: boolean;
}

/** `before`: the last characters that are decided, for what looks back. */
export function createStream(finder: Finder, before = ""): Stream {
  let held = "";
  let growing: Growth | undefined;

  const take = (piece: string, last: boolean): string => {
    const text = before + held + piece;
    let at = before.length;
    let shown = "";
    let undecided = -1;
    for (;;) {
      if (growing !== undefined) {
        growing.more.lastIndex = at;
        at += growing.more.exec(text)?.[0].length ?? 0;
        growing.undecided.lastIndex = at;
        if (!last && growing.undecided.test(text)) break;
        growing = undefined;
      }
      // Looked for again only when a secret went beyond it: many secrets in one piece must not cost the square.
      if (undecided < at) undecided = last ? text.length : finder.undecidedFrom(text, at);
      finder.pattern.lastIndex = at;
      const match = finder.pattern.exec(text);
      if (match === null || match.index >= undecided) {
        shown += text.slice(at, undecided);
        at = undecided;
        break;
      }
      shown += text.slice(at, match.index) + finder.replacement(match);
      at = match.index + match[0].length;
      growing = finder.growth?.(match);
    }
    before = text.slice(Math.max(0, at - lookbehind), at);
    held = text.slice(at);
    return shown;
  };

  return {
    push: (text) => take(text, false),
    flush: () => take("", true),
    finish: (text) => take(text, true),
    pass(text) {
      before = (text.length < lookbehind ? before + text : text).slice(-lookbehind);
    },
    get idle() {
      return held === "" && growing === undefined;
    },
  };
}
