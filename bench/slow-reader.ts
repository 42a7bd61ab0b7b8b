/**
 * Memory with a reader that stops: the agent floods without end, and the caller takes one event and no more. The pipe must hold the agent
 * back instead of Reins buffering, and `cancel()` must still settle at once. `node --expose-gc bench/slow-reader.ts`.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { rounded } from "./pairs.ts";
import { flooded } from "./support/flooded.ts";

await using flood = await flooded();

interface Memory {
  readonly rss: number;
  /** Live heap after garbage collection. Resident memory alone would hide growth into pages that were already free. */
  readonly alive: number;
}

function memory(): Memory {
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rss: rss / 1e6, alive: (heapUsed + external) / 1e6 };
}

// Warm up: afterwards all code is loaded and compiled, and the log of the session is still empty.
for await (const event of flood.session.prompt("flood 2000 200")) if (event.seq < 0) break;
const before = memory();

const turn = flood.session.prompt("flood forever 200");
const reader = turn[Symbol.asyncIterator]();
await reader.next();
let most = 0;
for (let i = 0; i < 40; i++) {
  await sleep(100);
  const now = memory();
  most = Math.max(most, now.rss - before.rss, now.alive - before.alive);
}
const began = performance.now();
await turn.cancel();
const cancelMs = performance.now() - began;
const { outcome } = await turn.result;
console.log(
  JSON.stringify({
    bench: "slow-reader",
    addedMB: rounded(most),
    goal: "< 32",
    cancelMs: rounded(cancelMs),
    cancelGoal: "< 1000",
    outcome,
  }),
);
