import { setTimeout as sleep } from "node:timers/promises";

/** Yields how many items are due, until `all` were due. Catches up when a timer fires late. */
export async function* paced(all, perSecond, everyMs = 1) {
  const began = performance.now();
  for (let done = 0; done < all;) {
    const due = Math.min(all, Math.floor(((performance.now() - began) / 1_000) * perSecond)) - done;
    if (due > 0) yield due;
    done += due;
    await sleep(everyMs);
  }
}
