import { rounded, type Pairs } from "./pairs.ts";

/** One JSON line a measurement. `reins` and `floor` are medians; `ratio` is what the goal is about. */
export function report(bench: string, goal: string, unit: string, result: Pairs): void {
  const { a, b, ratio, pairs } = result;
  console.log(
    JSON.stringify({ bench, ratio: rounded(ratio), goal, reins: rounded(a), floor: rounded(b), unit, pairs }),
  );
}
