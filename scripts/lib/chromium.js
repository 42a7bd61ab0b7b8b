import { existsSync } from "node:fs";
import { aptInstall } from "./apt.js";

/** Where Debian puts it. */
const usual = "/usr/bin/chromium";

/** The browser that the page is tried in. Where it is missing it is installed with apt-get, and this is said; else this script ends. */
export async function ensureChromium(env = process.env) {
  const named = env.REINS_CHROMIUM;
  if (named !== undefined)
    return existsSync(named) ? named : stop(`REINS_CHROMIUM names ${named}, which is not there.`);
  if (existsSync(usual)) return usual;
  const why = "the page is tried in a real browser, and playwright-core brings none";
  const problem = await aptInstall(["chromium", "fonts-dejavu-core", "fonts-liberation"], why, env);
  if (problem !== undefined) stop(problem);
  return existsSync(usual) ? usual : stop(`apt-get brought no ${usual}.`);
}

function stop(message) {
  console.error(`${message} Install chromium, and name it in REINS_CHROMIUM where it is not ${usual}.`);
  process.exit(1);
}
