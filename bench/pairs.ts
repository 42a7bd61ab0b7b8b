/** Compares two measurements fairly on a noisy machine: in turns, many times, by their medians. */

export interface Pairs {
  readonly a: number;
  readonly b: number;
  /** `a / b`, the median over the pairs: noise that lasts longer than a pair affects both sides. */
  readonly ratio: number;
  readonly pairs: number;
}

type Measure = () => number | Promise<number>;

/** Runs both functions in turns. Each measures itself and returns a number in the same unit. One pair before the first is not counted. */
export async function interleave(pairs: number, a: Measure, b: Measure): Promise<Pairs> {
  const as: number[] = [];
  const bs: number[] = [];
  for (let pair = -1; pair < pairs; pair++) {
    // Alternate which function runs first: the second one finds warmer caches.
    const first = pair % 2 === 0 ? a : b;
    const one = await first();
    const other = await (first === a ? b : a)();
    if (pair < 0) continue;
    as.push(first === a ? one : other);
    bs.push(first === a ? other : one);
  }
  return { a: median(as), b: median(bs), ratio: median(as.map((value, index) => value / (bs[index] ?? 0))), pairs };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((x, y) => x - y);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2;
}

/** The value that `of` percent of the values do not exceed. */
export function percentile(values: readonly number[], of: number): number {
  const sorted = values.toSorted((x, y) => x - y);
  return sorted[Math.max(0, Math.ceil((sorted.length * of) / 100) - 1)] ?? 0;
}

export async function milliseconds(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Rounds to three significant digits: the rest is noise. */
export function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
