/** Runs before `npm start`: builds the web page when it is missing or older than its sources. A clone runs everything else from source. */
import { must } from "./lib/command.js";
import { whyStale } from "./lib/stale.js";

const why = whyStale("the page", ["dist/web/index.html"], ["src/web", "src/view", "src/events"]);
if (why !== undefined) {
  const began = performance.now();
  console.error(why);
  await must("vite", ["build", "--logLevel", "warn"]);
  console.error(`Built in ${((performance.now() - began) / 1000).toFixed(1)} s.`);
}
