/** A shape of text as a list of steps: the source of the expression for the whole and of the one for its beginnings. */
export interface Step {
  /** A regular expression for one character. */
  readonly chars: string;
  readonly min: number;
  readonly max: number;
}

/** One step for each character; `[abc]` and `\.` stand for one character too. */
export function literal(text: string, anyCase = false): Step[] {
  return Array.from(text.matchAll(/\[[^\]]+\]|\\?[^]/g), ([unit]) => {
    const chars = anyCase && /^[a-z]$/.test(unit) ? `[${unit}${unit.toUpperCase()}]` : unit;
    return { chars, min: 1, max: 1 };
  });
}

export function source(steps: readonly Step[]): string {
  return steps.map(({ chars, min, max }) => chars + repeat(min, max)).join("");
}

/** Matches every proper beginning of a match of `source`. Only a shape that may begin with nothing has an empty one. */
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
