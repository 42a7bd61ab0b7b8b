import { rounded, type Pairs } from "./pairs.ts";

/** Prints one JSON line per measurement. `reins` and `floor` are medians; the goal applies to `ratio`. */
export function report(bench: string, goal: string, unit: string, result: Pairs): void {
  const { a, b, ratio, pairs } = result;
  console.log(
    JSON.stringify({ bench, ratio: rounded(ratio), goal, reins: rounded(a), floor: rounded(b), unit, pairs }),
  );
}
