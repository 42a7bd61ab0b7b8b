import { setTimeout as sleep } from "node:timers/promises";

/** How many are due now, again and again, until all of them were. A timer that comes late is made up for. */
export async function* paced(all, perSecond, everyMs = 1) {
  const began = performance.now();
  for (let done = 0; done < all;) {
    const due = Math.min(all, Math.floor(((performance.now() - began) / 1_000) * perSecond)) - done;
    if (due > 0) yield due;
    done += due;
    await sleep(everyMs);
  }
}
