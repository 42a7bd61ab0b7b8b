/** Repeatable random numbers: a failing test prints its seed, and REINS_TEST_SEED sets it. */
export interface Random {
  readonly seed: number;
  /** An integer from 0 up to but not including `limit`. */
  below(limit: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

export function seededRandom(seed: number = newSeed()): Random {
  let state = seed;
  // mulberry32
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { seed, below, pick: (items) => items[below(items.length)]! };
}

function newSeed(): number {
  const given = process.env["REINS_TEST_SEED"];
  return given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given);
}
