/** `npm run test:browser [-- vitest arguments]`: tests the built page in Chromium as a person uses it. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureChromium } from "./lib/chromium.js";
import { buildWhenStale } from "./lib/build-when-stale.js";
import { root, run } from "./lib/command.js";

// The tests are TypeScript, which Node runs from 22.18 on; the repository's `node` package is new enough.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  const modern = join(root, "node_modules", "node", "bin", "node");
  process.exit(spawnSync(modern, process.argv.slice(1), { stdio: "inherit" }).status ?? 1);
}

const chromium = await ensureChromium();
if (process.env.REINS_TEST_BUILT === undefined) await buildWhenStale();
const args = ["run", "--config", "vitest.browser.config.ts", ...process.argv.slice(2)];
const { ok } = await run("vitest", args, { env: { ...process.env, REINS_CHROMIUM: chromium } });
process.exitCode = ok ? 0 : 1;
