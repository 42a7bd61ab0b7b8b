/** The policy of a session: its rules made ready for its agent, what the agent must be started with for them, and what has to be said. */
import type { Agent, ToolFilter } from "../../agents/contract.ts";
import type { SessionOptions } from "../api.ts";
import type { LoadedConfiguration } from "../configuration.ts";
import { personsFolder } from "../persons-folder.ts";
import type { Environment } from "../configuration-files.ts";
import { Answers } from "./answers.ts";
import { deniedTools } from "./denied-tools.ts";
import { heldTo, refuseUnenforced } from "./held.ts";
import type { HeldTo } from "./held.ts";
import { neverMatching, neverSaid } from "./never.ts";
import type { Places } from "./places.ts";
import { Policy } from "./policy.ts";
import { rulesOf } from "./rules-of.ts";

export interface PolicyNeeds {
  readonly wanted: Pick<SessionOptions, "rules" | "allowUnenforced" | "tools">;
  readonly agent: Agent;
  /** A real path. */
  readonly cwd: string;
  readonly env: Environment;
  readonly configured: Pick<LoadedConfiguration, "files">;
  /** Ids of all agents. */
  readonly agents: readonly string[];
  /** `always` is written down. */
  readonly keeps: boolean;
}

export interface MadePolicy {
  readonly policy: Policy;
  /** The session's, and what is denied as a whole to an agent that would not wait with it. */
  readonly tools: SessionOptions["tools"];
  readonly remarks: readonly string[];
}

/** Throws where the agent cannot be held to what is denied. */
export function policyFor({ wanted, agent, cwd, env, configured, agents, keeps }: PolicyNeeds): MadePolicy {
  const answers = new Answers(personsFolder(env), cwd);
  const denied = deniedTools(agent.capabilities.toolFilter ? [] : wanted.tools?.disallowed);
  const call = [...denied.rules, ...(wanted.rules ?? [])];
  const { rules, remarks } = rulesOf({ call, files: configured.files, answers });
  const places = placesOf(cwd, env);
  const policy = new Policy({ rules, agent: agent.id, places, answers: keeps ? answers : undefined });
  const held = withUnknown(agent, heldTo(agent, policy.compiled), denied.unknown);
  if (wanted.allowUnenforced !== true) refuseUnenforced(agent, held);
  return {
    policy,
    tools: without(wanted.tools, held.disallowed),
    remarks: [
      ...remarks,
      ...neverSaid(neverMatching(policy.compiled, agents), policy.compiled),
      ...held.unenforced.map((why) => `${why}; it goes on without.`),
      ...held.unasked.map((why) => `${why}; it may do so without asking.`),
    ],
  };
}

function withUnknown({ name }: Agent, held: HeldTo, unknown: readonly string[]): HeldTo {
  const why = unknown.map(
    (tool) => `${name} cannot be kept from ${tool}: only names that every agent has can be denied`,
  );
  return { ...held, unenforced: [...held.unenforced, ...why] };
}

export function placesOf(cwd: string, env: Environment): Places {
  return { cwd, home: env["HOME"] || undefined, folds: process.platform === "darwin" || process.platform === "win32" };
}

function without(tools: SessionOptions["tools"], disallowed: readonly string[]): SessionOptions["tools"] {
  if (disallowed.length === 0) return tools;
  const more = (filter: ToolFilter = {}) => ({ ...filter, disallowed: [...(filter.disallowed ?? []), ...disallowed] });
  return { ...more(tools), ...(tools?.first !== undefined && { first: more(tools.first) }) };
}
