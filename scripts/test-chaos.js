/**
 * `npm run test:chaos [-- vitest arguments]`: kills processes with kill -9 at random moments, with the built-in agent and a real one,
 * isolated.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./lib/command.js";
import { agentCache, installAgent } from "./lib/install-agent.js";
import { offline, requireIsolation } from "./offline.js";

// The sources are TypeScript, which Node runs from 22.18 on; the repository's `node` package is new enough.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  const modern = join(root, "node_modules", "node", "bin", "node");
  process.exit(spawnSync(modern, process.argv.slice(1), { stdio: "inherit" }).status ?? 1);
}

await requireIsolation();
const { proofOf } = await import("../src/testing/proofs.ts");
const cache = agentCache();
mkdirSync(cache, { recursive: true });
try {
  await installAgent(cache, (await proofOf("claude")).install);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const config = join(root, "vitest.chaos.config.ts");
process.chdir(root);
process.exitCode = await offline(process.execPath, [vitest, "run", "--config", config, ...process.argv.slice(2)], {
  REINS_AGENT_CACHE: cache,
  ...(process.env.REINS_TEST_SEED ? { REINS_TEST_SEED: process.env.REINS_TEST_SEED } : {}),
});
