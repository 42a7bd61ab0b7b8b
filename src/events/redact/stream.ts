import type { Beginning } from "./beginnings.ts";

/** Finds one sort of secrets. */
export interface Finder {
  readonly beginnings: readonly Beginning[];
  /** Finds whole secrets; global. */
  readonly pattern: RegExp;
  /** Start of the first part that more text could make a secret, or a longer one; otherwise the length of the text. */
  undecidedFrom(text: string, from: number): number;
  replacement(match: RegExpExecArray): string;
  /** For a secret without an end of its own: what still belongs to it. */
  growth?(match: RegExpExecArray): Growth | undefined;
}

export interface Growth {
  /** Sticky; matches what belongs to the secret, or nothing. */
  readonly more: RegExp;
  /** Sticky; matches a rest that is empty or may still belong to it. */
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
  /** Takes a text that is known to contain nothing. */
  pass(text: string): void;
  /** Takes the last text. */
  finish(text: string): string;
  /** Nothing is held back and no secret continues. */
  readonly idle: boolean;
}

/** `before`: the last decided characters, for lookbehind. */
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
      // Searched again only when a secret went beyond it, so that many secrets in one piece are not quadratic.
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
