/**
 * `npm run bench [-- name ...]`: runs all measurements, or the named ones; `agents` and `server-warm` may be followed by agents. Each
 * prints one JSON line; docs/performance.md says how to read them. `--against <folder of another checkout> [--rounds n] name ...` compares
 * two checkouts.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { agentCache, installAgent } from "../scripts/lib/install-agent.js";
import { offline, requireIsolation } from "../scripts/offline.js";
import { allProofs } from "../src/testing/proofs.ts";
import { acpSdk, acpx } from "./support/peers.ts";

const here = import.meta.dirname;

async function isolated(file, packages, args = []) {
  await requireIsolation();
  const cache = agentCache();
  mkdirSync(cache, { recursive: true });
  for (const one of packages) await installAgent(cache, one);
  return offline(process.execPath, [join(here, file), ...args], { REINS_AGENT_CACHE: cache });
}

/** The npm packages of these agents; of all agents when `ids` is empty. */
async function programs(ids = []) {
  const proofs = await allProofs();
  return proofs.filter(({ id }) => ids.length === 0 || ids.includes(id)).flatMap(({ proof }) => proof.install ?? []);
}

const plain = (file, ...flags) =>
  spawnSync(process.execPath, [...flags, join(here, file)], { stdio: "inherit" }).status ?? 1;

const benches = {
  lines: () => plain("lines.ts"),
  pipeline: () => plain("pipeline.ts"),
  "slow-reader": () => plain("slow-reader.ts", "--expose-gc"),
  start: () => plain("start.ts"),
  sessions: () => plain("sessions.ts", "--expose-gc"),
  store: () => plain("store.ts"),
  policy: () => plain("policy.ts"),
  hooks: () => plain("hooks.ts"),
  "server-readers": () => plain("server-readers.ts"),
  "server-start": () => plain("server-start.ts"),
  "server-idle": () => plain("server-idle.ts"),
  "page-open": () => plain("page-open.ts"),
  "page-scroll": () => plain("page-scroll.ts"),
  tui: async () => plain("tui.ts") || isolated("tui-peers.ts", await programs(["claude", "opencode", "pi"])),
  large: () => plain("large.ts"),
  acp: () => isolated("acp.ts", [acpx, acpSdk]),
  "acp-slow-reader": () => plain("acp-slow-reader.ts"),
  "cursor-spawn": () => plain("cursor-spawn.ts"),
  doctor: async () => isolated("doctor.ts", await programs()),
  agents: async () => isolated("agents.ts", await programs(agents), agents),
  "server-warm": async () => isolated("server-warm.ts", await programs(agents), agents),
};

const args = process.argv.slice(2);
if (args.includes("--against")) {
  const { values, positionals } = parseArgs({
    args,
    options: { against: { type: "string" }, rounds: { type: "string", default: "5" } },
    allowPositionals: true,
  });
  const { compare } = await import("./against.ts");
  process.exit((await compare(resolve(values.against), positionals, Number(values.rounds))) > 0 ? 1 : 0);
}

/** The words after `agents` or `server-warm` are agents. */
const words = args;
const last = words.findIndex((word) => word === "agents" || word === "server-warm") + 1 || words.length;
const [wanted, agents] = [words.slice(0, last), words.slice(last)];
const unknown = wanted.filter((name) => benches[name] === undefined);
if (unknown.length > 0) {
  console.error(`Unknown measurement: ${unknown.join(", ")}. Choose from ${Object.keys(benches).join(", ")}.`);
  process.exit(2);
}
/** Measurements that take long and much disk space: they run only by name. */
const onRequest = new Set(["large"]);
const usual = Object.keys(benches).filter((name) => !onRequest.has(name));
for (const name of wanted.length > 0 ? wanted : usual) process.exitCode = (await benches[name]()) || process.exitCode;
