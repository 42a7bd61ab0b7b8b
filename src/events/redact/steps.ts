/** A step of a text shape. A list of steps gives two expressions: one for the whole shape and one for its beginnings. */
export interface Step {
  /** A regular expression for one character. */
  readonly chars: string;
  readonly min: number;
  readonly max: number;
}

/** Makes one step per character; `[abc]` and `\.` count as one character. */
export function literal(text: string, anyCase = false): Step[] {
  return Array.from(text.matchAll(/\[[^\]]+\]|\\?[^]/g), ([unit]) => {
    const chars = anyCase && /^[a-z]$/.test(unit) ? `[${unit}${unit.toUpperCase()}]` : unit;
    return { chars, min: 1, max: 1 };
  });
}

export function source(steps: readonly Step[]): string {
  return steps.map(({ chars, min, max }) => chars + repeat(min, max)).join("");
}

/** Matches every proper prefix of a match of `source`. The empty prefix matches only for a shape that may begin with nothing. */
export function beginningSource(steps: readonly Step[]): string {
  return steps.reduceRight((rest, { chars, min, max }, index) => {
    if (index === steps.length - 1) return chars + repeat(0, max - 1);
    const shorter = min > 1 || index > 0 ? `|${chars}${repeat(0, min - 1)}` : "";
    return min === 0 ? `${chars}${repeat(0, max)}${rest}` : `(?:${chars}${repeat(min, max)}${rest}${shorter})`;
  }, "");
}

function repeat(min: number, max: number): string {
  if (min === 1 && max === 1) return "";
  return max === Infinity ? `{${min},}` : `{${min},${max}}`;
}
