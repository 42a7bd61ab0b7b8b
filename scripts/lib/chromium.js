import { existsSync } from "node:fs";
import { aptInstall } from "./apt.js";

const usual = "/usr/bin/chromium";

/**
 * Returns the path of the browser for the tests. Installs it with apt-get when it is missing and says so; ends the script when that fails.
 */
export async function ensureChromium(env = process.env) {
  const named = env.REINS_CHROMIUM;
  if (named !== undefined) return existsSync(named) ? named : stop(`REINS_CHROMIUM is ${named}, which does not exist.`);
  if (existsSync(usual)) return usual;
  const why = "the page is tested in a real browser, and playwright-core includes none";
  const problem = await aptInstall(["chromium", "fonts-dejavu-core", "fonts-liberation"], why, env);
  if (problem !== undefined) stop(problem);
  return existsSync(usual) ? usual : stop(`apt-get did not install ${usual}.`);
}

function stop(message) {
  console.error(`${message} Install chromium and set REINS_CHROMIUM to its path if that is not ${usual}.`);
  process.exit(1);
}
