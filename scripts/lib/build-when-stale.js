import { must } from "./command.js";
import { whyStale } from "./stale.js";

/** Builds all of `dist`, the command and the web page, when it is missing or older than its sources. */
export async function buildWhenStale() {
  const why = whyStale("dist", ["dist/cli.cjs", "dist/web/index.html"], ["src"]);
  if (why === undefined) return;
  console.log(why);
  await must("node", ["scripts/build.js"]);
}
