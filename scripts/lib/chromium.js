import { existsSync } from "node:fs";
import { run } from "./command.js";

/** Where Debian puts it. */
const usual = "/usr/bin/chromium";

/** The browser that the page is tried in. Where it is missing it is installed with apt-get, and this is said; else this script ends. */
export async function ensureChromium(env = process.env) {
  const named = env.REINS_CHROMIUM;
  if (named !== undefined)
    return existsSync(named) ? named : stop(`REINS_CHROMIUM names ${named}, which is not there.`);
  if (existsSync(usual)) return usual;
  console.log(
    "Installing chromium with apt-get, once: the page is tried in a real browser, and playwright-core brings none.",
  );
  const apt = { env: { ...env, DEBIAN_FRONTEND: "noninteractive" } };
  const asRoot = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
  for (const words of [
    ["update", "-qq"],
    ["install", "-qq", "-y", "--no-install-recommends", "chromium", "fonts-dejavu-core", "fonts-liberation"],
  ]) {
    const [command, ...args] = [...asRoot, "apt-get", ...words];
    const { ok, output } = await run(command, args, { ...apt, quiet: true });
    if (!ok) stop(`${[command, ...args].join(" ")} failed: ${output.slice(-2_000)}`);
  }
  return existsSync(usual) ? usual : stop(`apt-get brought no ${usual}.`);
}

function stop(message) {
  console.error(`${message} Install chromium, and name it in REINS_CHROMIUM where it is not ${usual}.`);
  process.exit(1);
}
