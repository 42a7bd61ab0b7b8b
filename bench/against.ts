/** Compares this checkout with another one. Both run the same measurements in turns, so that other load on the machine affects both. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { median, rounded } from "./pairs.ts";

interface Measured {
  readonly bench: string;
  /** A median, or several named figures: `{ p50, p99 }`. */
  readonly reins: number | Readonly<Record<string, number>>;
  readonly unit?: string;
}

type Side = "old" | "new";

/** The highest allowed ratio of new to old. */
const slowest = 1.05;

/**
 * Runs each bench in both checkouts. `benches` are the arguments of `npm run bench`, with agents where a bench takes them: `["pipeline",
 * "agents claude"]`. Returns how many measurements got slower.
 */
export async function compare(other: string, benches: readonly string[], rounds: number): Promise<number> {
  const folders = { old: other, new: join(import.meta.dirname, "..") };
  let slower = 0;
  for (const bench of benches) {
    const found = new Map<string, Record<Side, number[]> & { readonly unit: string }>();
    for (let round = 0; round < rounds; round++) {
      // Alternate which side runs first: the second one finds warmer caches.
      for (const side of round % 2 === 0 ? (["old", "new"] as const) : (["new", "old"] as const))
        for (const { name, value, unit } of await measured(folders[side], bench)) {
          const entry = found.get(name) ?? { old: [], new: [], unit };
          found.set(name, entry);
          entry[side].push(value);
        }
    }
    for (const [name, { unit, ...sides }] of found) {
      if (sides.old.length === 0 || sides.new.length === 0) continue;
      if (!tell(name, unit, sides)) slower++;
    }
  }
  return slower;
}

/**
 * Prints one measurement and returns false when the new side is slower than allowed. `ratio`: how much longer the new side takes, the
 * median over the rounds.
 */
function tell(bench: string, unit: string, sides: Record<Side, readonly number[]>): boolean {
  const more = unit.endsWith("/s");
  const pairs = sides.old.slice(0, sides.new.length).map((old, round) => {
    const now = sides.new[round] ?? Number.NaN;
    return more ? old / now : now / old;
  });
  const ratio = median(pairs);
  const isFine = ratio <= slowest;
  const medians = { old: rounded(median(sides.old)), new: rounded(median(sides.new)) };
  console.log(JSON.stringify({ bench, ...medians, unit, ratio: rounded(ratio), rounds: pairs.length, isFine }));
  return isFine;
}

async function measured(folder: string, bench: string) {
  const args = [join(folder, "bench", "run.js"), ...bench.split(" ")];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
  await once(child, "close");
  const lines = said.split("\n").filter((line) => line.startsWith("{"));
  const found = lines
    .map((line) => JSON.parse(line) as Partial<Measured>)
    .flatMap(({ bench: name, reins = {}, unit = "ms" }) =>
      typeof reins === "number"
        ? [{ name: `${name}`, value: reins, unit }]
        : Object.entries(reins).map(([figure, value]) => ({ name: `${name} ${figure}`, value, unit })),
    );
  if (found.length === 0) throw new Error(`${bench} measured nothing in ${folder}.`);
  return found;
}
