/**
 * `npm run test:real [-- vitest arguments]`: tests the real agents, pinned, against scripted models, isolated. REINS_REAL_<AGENT>=1 runs
 * the contract of that agent alone, with the program on the PATH, the person's own sign-in and a live model: it has network access and
 * costs money.
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

const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const config = join(root, "vitest.real.config.ts");
process.chdir(root);

const live = Object.entries(process.env).flatMap(([name, value]) => {
  const agent = value === "1" ? /^REINS_REAL_(\w+)$/.exec(name)?.[1] : undefined;
  return agent === undefined ? [] : [`test/real/${agent.toLowerCase().replaceAll("_", "-")}/contract`];
});
if (live.length > 0) {
  const args = [vitest, "run", "--config", config, ...live, ...process.argv.slice(2)];
  process.exit(spawnSync(process.execPath, args, { stdio: "inherit" }).status ?? 1);
}

await requireIsolation();
const { allProofs } = await import("../src/testing/proofs.ts");
const cache = agentCache();
mkdirSync(cache, { recursive: true });
try {
  for (const { proof } of await allProofs()) if (proof.install) await installAgent(cache, proof.install);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

process.exitCode = await offline(process.execPath, [vitest, "run", "--config", config, ...process.argv.slice(2)], {
  REINS_AGENT_CACHE: cache,
  ...(process.env.REINS_RECORD ? { REINS_RECORD: process.env.REINS_RECORD } : {}),
});
