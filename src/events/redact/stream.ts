import type { Beginning } from "./beginnings.ts";

/** Finds one kind of secret. */
export interface Finder {
  readonly beginnings: readonly Beginning[];
  /** The first whole secret from a place on. */
  find(text: string, from: number): RegExpExecArray | null;
  /** Start of the first part that more text could make a secret, or a longer one; otherwise the length of the text. */
  undecidedFrom(text: string, from: number): number;
  replacement(match: RegExpExecArray): string;
  /** For a secret without a fixed end: matches the characters that still belong to it. */
  growth?(match: RegExpExecArray): Growth | undefined;
}

export interface Growth {
  /** Sticky; matches the characters that belong to the secret, possibly none. */
  readonly more: RegExp;
  /** Sticky; matches a remainder that is empty or may still belong to the secret. */
  readonly undecided: RegExp;
}

export const mark = "[redacted]";

export const lookbehind = 2;

export function replaceAll(finder: Finder, text: string): string {
  return createStream(finder).finish(text);
}

export interface Stream {
  push(text: string): string;
  flush(): string;
  /** Accepts a text that is known to contain no secret. */
  pass(text: string): void;
  finish(text: string): string;
  /** True when nothing is held back and no secret continues. */
  readonly idle: boolean;
}

/** `before`: the last characters that were already returned, for lookbehind. */
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
      // Search again only when a secret went past this point, so that many secrets in one piece do not take quadratic time.
      if (undecided < at) undecided = last ? text.length : finder.undecidedFrom(text, at);
      const match = finder.find(text, at);
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
