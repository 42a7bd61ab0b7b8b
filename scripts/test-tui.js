/**
 * `npm run test:tui [-- vitest arguments]`: tests the terminal interface in real terminals and in tmux, with the demo agent and real
 * agents, isolated.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./lib/command.js";
import { agentCache, installAgent } from "./lib/install-agent.js";
import { ensureTmux } from "./lib/tmux.js";
import { offline, requireIsolation } from "./offline.js";

// The sources are TypeScript, which Node runs from 22.18 on; the repository's `node` package is new enough.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  const modern = join(root, "node_modules", "node", "bin", "node");
  process.exit(spawnSync(modern, process.argv.slice(1), { stdio: "inherit" }).status ?? 1);
}

await requireIsolation();
await ensureTmux();
const { proofOf } = await import("../src/testing/proofs.ts");
const cache = agentCache();
mkdirSync(cache, { recursive: true });
try {
  for (const agent of ["claude", "codex"]) await installAgent(cache, (await proofOf(agent)).install);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const config = join(root, "vitest.tui.config.ts");
process.chdir(root);
process.exitCode = await offline(process.execPath, [vitest, "run", "--config", config, ...process.argv.slice(2)], {
  REINS_AGENT_CACHE: cache,
});
