/** Texts within a limit of characters. */

/** The beginning, in whole characters. */
export function clip(text: string, length: number): string {
  if (text.length <= length) return text;
  return length < 1 ? "" : `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** The end, in whole characters. */
export function tail(text: string, length: number): string {
  if (text.length <= length) return text;
  return length < 1 ? "" : `…${text.slice(text.length - length + 1).replace(/^[\udc00-\udfff]/, "")}`;
}

export const gap = "\n\n";

/** A document of sections that never grows above its limit. What does not fit is left out, and that something is, is said. */
export class Document {
  readonly #sections = new Map<string, string[]>();
  #room: number;
  #leftOut = false;

  /** `headings` stand in the order of the document. */
  constructor(limit: number, headings: readonly string[]) {
    for (const heading of headings) this.#sections.set(heading, []);
    this.#room = limit - leftOut.length - gap.length;
  }

  /** In the order of their weight; false when there was no room. */
  add(heading: string, piece: string): boolean {
    const pieces = this.#sections.get(heading)!;
    const cost = piece.length + gap.length + (pieces.length === 0 ? heading.length + gap.length : 0);
    if (cost > this.#room) {
      this.#leftOut = true;
      return false;
    }
    this.#room -= cost;
    pieces.push(piece);
    return true;
  }

  toString(): string {
    const sections = [...this.#sections].filter(([, pieces]) => pieces.length > 0);
    return [...sections.flatMap(([heading, pieces]) => [heading, ...pieces]), ...(this.#leftOut ? [leftOut] : [])].join(
      gap,
    );
  }
}

const leftOut = "(More was left out; the folder and its history tell the rest.)";
