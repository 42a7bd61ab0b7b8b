/** Runs the contract against the agent that is installed on this machine: no account, no tokens, a fresh home. */
import { networkInterfaces } from "node:os";
import type { AgentEntry } from "../../agents/contract.ts";
import { agentEntries } from "../../agents/index.ts";
import { variableOf } from "../../agents/variable.ts";
import type { AgentStatus } from "../../core/api.ts";
import { createReins } from "../../core/reins.ts";
import { ReinsError } from "../../events/errors.ts";
import { contract } from "../contract/index.ts";
import { openLivePlace } from "../contract/live-place.ts";
import { runContract } from "../contract/run.ts";
import type { CapabilityRow, ContractResult, ContractScenario } from "../contract/types.ts";
import { createWorkspace } from "../contract/workspace.ts";
import { proofOf } from "../proofs.ts";

export interface ProveOptions {
  /** Where its program is looked for: PATH and REINS_<AGENT>_COMMAND, and nothing else of it. Default: that of this process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly agents?: readonly AgentEntry[] | undefined;
  readonly scenarios?: readonly ContractScenario[] | undefined;
  /** How many at once. Default: two. */
  readonly concurrency?: number | undefined;
  readonly onProgress?: ((progress: ProveProgress) => void) | undefined;
  /** Once aborted, no further scenario is begun. */
  readonly signal?: AbortSignal | undefined;
}

export interface ProveProgress {
  readonly result: ContractResult;
  /** How many are over, this one included. */
  readonly done: number;
  readonly total: number;
}

export interface ProveReport {
  readonly agent: string;
  readonly name: string;
  /** Of the program; undefined where the agent is a part of Reins. */
  readonly version?: string | undefined;
  readonly path?: string | undefined;
  /** The version that Reins's own tests are pinned to. */
  readonly testedVersion?: string | undefined;
  /** `cut`: nothing but loopback can be reached. `open`: there is a network, and dead proxies stand before it. */
  readonly network: "cut" | "open";
  readonly results: readonly ContractResult[];
  /** Declared, and not held. */
  readonly drift: readonly Drift[];
  readonly ms: number;
}

/** Throws a ReinsError where the agent is not known, not installed, or cannot be pointed at a scripted model. */
export async function prove(id: string, options: ProveOptions = {}): Promise<ProveReport> {
  const began = performance.now();
  const { env = process.env, agents = agentEntries, scenarios = contract, onProgress, signal } = options;
  const proof = await proofOf(id, agents);
  const entry = agents.find((one) => one.id === id)!;
  const network = isCut() ? "cut" : "open";
  const variable = variableOf(id, "COMMAND");
  const path = env["PATH"] ?? "";
  const status = await examine(entry, { PATH: path, [variable]: env[variable] });
  const command = proof.install === undefined ? undefined : env[variable] || status.path;
  const { capabilities } = status;
  let done = 0;
  const results = await runContract({
    capabilities,
    scenarios,
    concurrency: options.concurrency ?? 2,
    signal,
    open: (scenario) =>
      openLivePlace({ entry, proof, capabilities, command, path, env: network === "cut" ? {} : deadProxies }, scenario),
    onResult: (result) => onProgress?.({ result, done: ++done, total: scenarios.length }),
  });
  return {
    agent: id,
    name: entry.name,
    version: status.version,
    path: status.path,
    testedVersion: proof.install?.version ?? proof.version,
    network,
    results,
    drift: driftIn(results),
    ms: Math.round(performance.now() - began),
  };
}

/** Where its program is and which version, asked in a home that is empty too. */
async function examine(entry: AgentEntry, wanted: Readonly<Record<string, string | undefined>>): Promise<AgentStatus> {
  const workspace = createWorkspace(wanted["PATH"]);
  try {
    await using reins = createReins({ guardian: false, env: { ...workspace.env, ...wanted }, agents: [entry] });
    const status = await reins.agent(entry.id);
    if (status.installed) return status;
    throw new ReinsError("not_installed", `${entry.name} was not found on this machine.`, {
      agent: entry.id,
      help: status.help,
    });
  } finally {
    workspace.clear();
  }
}

/** Nobody listens there; the scripted model is not asked through them. */
const nowhere = "http://127.0.0.1:9";
const local = "127.0.0.1,localhost";
const deadProxies: Readonly<Record<string, string>> = {
  ...{ HTTP_PROXY: nowhere, HTTPS_PROXY: nowhere, ALL_PROXY: nowhere, NO_PROXY: local },
  ...{ http_proxy: nowhere, https_proxy: nowhere, all_proxy: nowhere, no_proxy: local },
};

/** Whether this process can reach nothing but loopback. */
function isCut(): boolean {
  return Object.values(networkInterfaces()).every((addresses = []) => addresses.every(({ internal }) => internal));
}

/** A capability that the agent declares and does not hold. */
export interface Drift {
  readonly capability: CapabilityRow;
  /** What went wrong in each scenario about it. */
  readonly sentences: readonly string[];
}

/** `always` among them: what no agent has to declare and every agent must do. */
export function driftIn(results: readonly ContractResult[]): readonly Drift[] {
  const broken = results.filter(({ state, declared }) => state === "failed" && declared);
  const rows = new Set(broken.flatMap(({ capabilities }) => capabilities));
  return [...rows].map((capability) => ({
    capability,
    sentences: broken
      .filter(({ capabilities }) => capabilities.includes(capability))
      .map(({ scenario, sentence = "It did not hold." }) => `${scenario}: ${sentence}`),
  }));
}
