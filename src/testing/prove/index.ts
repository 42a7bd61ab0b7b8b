/** Runs the contract against the agent installed on this machine, without an account or tokens, in an empty home. */
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

/** Options of `prove`. */
export interface ProveOptions {
  /** The environment for finding the program; only PATH and REINS_<AGENT>_COMMAND are used. Default: that of this process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The known agents. Default: all built-in agents. */
  readonly agents?: readonly AgentEntry[] | undefined;
  /** Default: the whole contract. */
  readonly scenarios?: readonly ContractScenario[] | undefined;
  /** How many scenarios run at once. Default: 2. */
  readonly concurrency?: number | undefined;
  readonly onProgress?: ((progress: ProveProgress) => void) | undefined;
  /** Once aborted, no further scenario starts. */
  readonly signal?: AbortSignal | undefined;
}

/** Reported after each scenario. */
export interface ProveProgress {
  readonly result: ContractResult;
  /** Number of finished scenarios, including this one. */
  readonly done: number;
  readonly total: number;
}

/** The result of `prove`. */
export interface ProveReport {
  readonly agent: string;
  readonly name: string;
  /** Version of the installed program; undefined for an agent that is a part of Reins. */
  readonly version?: string | undefined;
  readonly path?: string | undefined;
  /** The version that Reins' own tests use. */
  readonly testedVersion?: string | undefined;
  /** `cut`: only loopback can be reached. `open`: there is a network, and the agent's proxy variables point to a dead address. */
  readonly network: "cut" | "open";
  readonly results: readonly ContractResult[];
  /** Capabilities that the agent declares and that failed. */
  readonly drift: readonly Drift[];
  readonly ms: number;
}

/**
 * Runs the contract against an installed agent, as `reins doctor --prove` does. Throws a ReinsError if the agent is unknown, not installed,
 * or cannot be pointed at a scripted model.
 */
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

/** Finds the program and its version, in an empty home too. */
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

/** A port on which nothing listens. The scripted model is reached without a proxy (NO_PROXY). */
const nowhere = "http://127.0.0.1:9";
const local = "127.0.0.1,localhost";
const deadProxies: Readonly<Record<string, string>> = {
  ...{ HTTP_PROXY: nowhere, HTTPS_PROXY: nowhere, ALL_PROXY: nowhere, NO_PROXY: local },
  ...{ http_proxy: nowhere, https_proxy: nowhere, all_proxy: nowhere, no_proxy: local },
};

/** True if this process can reach only loopback. */
function isCut(): boolean {
  return Object.values(networkInterfaces()).every((addresses = []) => addresses.every(({ internal }) => internal));
}

/** A capability that the agent declares but that does not hold in the installed version. */
export interface Drift {
  readonly capability: CapabilityRow;
  /** The failures of the scenarios about this capability, one sentence each. */
  readonly sentences: readonly string[];
}

/** Includes the row `always`: what every agent must do without declaring it. */
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
