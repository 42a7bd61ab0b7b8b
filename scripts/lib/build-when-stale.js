import { must } from "./command.js";
import { whyStale } from "./stale.js";

/** `dist` as a whole, the command and the page, where it is missing or older than what it is made from. */
export async function buildWhenStale() {
  const why = whyStale("dist", ["dist/cli.cjs", "dist/web/index.html"], ["src"]);
  if (why === undefined) return;
  console.log(why);
  await must("node", ["scripts/build.js"]);
}
