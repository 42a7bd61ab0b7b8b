/** Builds the policy of a session: compiled rules, the tools to remove from the agent, and remarks for the user. */
import type { Agent, ToolFilter } from "../../agents/contract.ts";
import type { SessionOptions } from "../api.ts";
import type { LoadedConfiguration } from "../config/config.ts";
import { userFolder, type Environment } from "../config/config-files.ts";
import { SavedAnswers } from "./saved-answers.ts";
import { deniedTools, enforceabilityOf, refuseUnenforced, type Enforceability } from "./enforceability.ts";
import { unmatchableRules, describeUnmatchable } from "./unmatchable-rules.ts";
import type { PathScope } from "./path-patterns.ts";
import { Policy } from "./policy.ts";
import { loadRules } from "./load-rules.ts";

export interface PolicyNeeds {
  readonly wanted: Pick<SessionOptions, "rules" | "allowUnenforced" | "tools">;
  readonly agent: Agent;
  readonly cwd: string;
  readonly env: Environment;
  readonly configured: Pick<LoadedConfiguration, "files">;
  readonly agents: readonly string[];
  readonly protectedFiles: readonly string[];
  readonly keeps: boolean;
}

export interface SessionPolicy {
  readonly policy: Policy;
  /** The session's tool filter, plus denied tools for which the agent would not wait. */
  readonly tools: SessionOptions["tools"];
  readonly remarks: readonly string[];
}

/** Throws when the agent cannot enforce the deny rules. */
export function sessionPolicy(needs: PolicyNeeds): SessionPolicy {
  const { wanted, agent, cwd, env, configured, agents, protectedFiles, keeps } = needs;
  const answers = new SavedAnswers(userFolder(env), cwd);
  const denied = deniedTools(agent.capabilities.toolFilter ? [] : wanted.tools?.disallowed);
  const call = [...denied.rules, ...(wanted.rules ?? [])];
  const { rules, remarks } = loadRules({ call, files: configured.files, answers });
  const scope = { ...pathScope(cwd, env), protectedFiles };
  const policy = new Policy({ rules, agent: agent.id, scope, answers: keeps ? answers : undefined });
  const held = withUnknown(agent, enforceabilityOf(agent, policy.compiled), denied.unknown);
  if (wanted.allowUnenforced !== true) refuseUnenforced(agent, held);
  return {
    policy,
    tools: without(wanted.tools, held.disallowed),
    remarks: [
      ...remarks,
      ...describeUnmatchable(unmatchableRules(policy.compiled, agents), policy.compiled),
      ...held.unenforced.map((why) => `${why}; the session continues without this rule.`),
      ...held.unasked.map((why) => `${why}; it may do so without asking.`),
    ],
  };
}

function withUnknown({ name }: Agent, held: Enforceability, unknown: readonly string[]): Enforceability {
  const why = unknown.map(
    (tool) => `${name} cannot be denied the tool ${tool}: only tool names that every agent has can be denied`,
  );
  return { ...held, unenforced: [...held.unenforced, ...why] };
}

export function pathScope(cwd: string, env: Environment): PathScope {
  return { cwd, home: env["HOME"] || undefined, folds: process.platform === "darwin" || process.platform === "win32" };
}

function without(tools: SessionOptions["tools"], disallowed: readonly string[]): SessionOptions["tools"] {
  if (disallowed.length === 0) return tools;
  const more = (filter: ToolFilter = {}) => ({ ...filter, disallowed: [...(filter.disallowed ?? []), ...disallowed] });
  return { ...more(tools), ...(tools?.first !== undefined && { first: more(tools.first) }) };
}
