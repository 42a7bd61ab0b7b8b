/** `npm run bench [-- name ...]`: every measurement, or those named. One JSON line each; docs/performance.md says how to read them. */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { agentCache, installAgent } from "../scripts/lib/install-agent.js";
import { offline, requireIsolation } from "../scripts/offline.js";
import { proofOf } from "../src/testing/index.ts";
import { allProofs } from "../src/testing/proofs.ts";
import { acpSdk, acpx } from "./support/peers.ts";

const here = import.meta.dirname;

async function isolated(file, ...packages) {
  await requireIsolation();
  const cache = agentCache();
  mkdirSync(cache, { recursive: true });
  for (const one of packages) await installAgent(cache, one);
  return offline(process.execPath, [join(here, file)], { REINS_AGENT_CACHE: cache });
}

const plain = (file, ...flags) =>
  spawnSync(process.execPath, [...flags, join(here, file)], { stdio: "inherit" }).status ?? 1;

const benches = {
  lines: () => plain("lines.ts"),
  pipeline: () => plain("pipeline.ts"),
  "slow-reader": () => plain("slow-reader.ts", "--expose-gc"),
  start: () => plain("start.ts"),
  sessions: () => plain("sessions.ts", "--expose-gc"),
  acp: () => isolated("acp.ts", acpx, acpSdk),
  "acp-slow-reader": () => plain("acp-slow-reader.ts"),
  doctor: async () => isolated("doctor.ts", ...(await allProofs()).flatMap(({ proof }) => proof.install ?? [])),
  claude: async () => isolated("claude.ts", (await proofOf("claude")).install),
};

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(benches);
const unknown = wanted.filter((name) => benches[name] === undefined);
if (unknown.length > 0) {
  console.error(`There is no measurement ${unknown.join(", ")}; there are ${Object.keys(benches).join(", ")}.`);
  process.exit(2);
}
for (const name of wanted) process.exitCode = (await benches[name]()) || process.exitCode;
