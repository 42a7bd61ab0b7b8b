/** Builds the route of a session from its options: the agents in it, and the options each is opened with. */
import { ReinsError } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import { AgentFiles } from "../config/agent-files.ts";
import type { SessionOptions } from "../api.ts";
import type { AgentSelector, SessionPlan } from "../select/select-agent.ts";
import type { Environment } from "../config/config-files.ts";
import { unsupportedOptions, stripSecrets } from "../select/unsupported-options.ts";
import { withLocale } from "../select/locale.ts";
import type { ModelLists } from "../catalog/model-lists.ts";
import { ownName } from "../select/model-names.ts";
import { isWithin } from "../permissions/decide.ts";
import type { Registry } from "../catalog/registry.ts";
import type { CircuitBreaker } from "./circuit-breaker.ts";
import { choicesOf, routeOf } from "./route-options.ts";
import type { Candidate, Route } from "./session-route.ts";

export interface RouteMaking {
  readonly choosing: AgentSelector;
  readonly registry: Registry;
  readonly models: ModelLists;
  readonly breaker: CircuitBreaker;
  readonly env: Environment;
}

/** Refuses a route that no turn could follow to its end. */
export async function routeFor(making: RouteMaking, chosen: SessionPlan): Promise<Route> {
  const { asked, agent, configured } = chosen;
  const { options } = asked;
  const names = routeOf(options.agent ?? agent.id, options.fallback);
  await refuseUnknown(making, chosen, names.slice(1));
  return {
    names,
    choices: choicesOf(options.route, configured.route),
    breaker: making.breaker,
    prepare: (name, mode) =>
      prepare(
        making,
        { ...options, cwd: chosen.cwd },
        { name, mode, byProject: asked.projectsFallback && names.includes(name, 1) },
      ),
  };
}

async function refuseUnknown(
  { registry, env }: RouteMaking,
  { cwd }: SessionPlan,
  names: readonly string[],
): Promise<void> {
  const strange = names.filter((name) => registry.entryOf(name) === undefined);
  if (strange.length === 0) return;
  const files = await AgentFiles.find(cwd, env, undefined);
  for (const name of strange) if ((await files.get(name)) === undefined) throw registry.unknown(name, files.names);
}

interface Next {
  readonly name: string;
  readonly mode: Mode;
  readonly byProject: boolean;
}

async function prepare(making: RouteMaking, options: SessionOptions, next: Next): Promise<Candidate> {
  const { name, mode, byProject } = next;
  const { choosing, registry, models } = making;
  const wanted = { ...carried(options), agent: name };
  await refuseWider(making, wanted, mode);
  const { agent, entry, model, fallbackModel, asked, held } = await choosing.choose({ ...wanted, mode }, byProject);
  const { ready, help } = await registry.readiness.of(agent);
  const refuse = (what: string): never => {
    throw new ReinsError("unsupported", `${agent.name} ${what}.`, { agent: agent.id, help });
  };
  if (!ready) refuse("is not ready");
  // Tools that were disallowed for the first agent must stay disallowed for the next.
  if ((asked.options.tools?.disallowed?.length ?? 0) > 0 && !agent.capabilities.toolFilter)
    refuse("does not support a list of disallowed tools");
  const given = stripSecrets({}, asked.options, agent);
  const listed = await models.remembered(agent.id);
  return {
    name,
    agent,
    options: { ...withLocale(agent, given.options), tools: held.tools, model, fallbackModel },
    ownModel: (unified) => ownName(entry, unified),
    policy: held.policy,
    remarks: [...unsupportedOptions(agent, asked.options), ...given.remarks, ...held.remarks],
    contextSize: listed?.find((one) => (model === undefined ? one.default : one.id === model))?.contextSize,
  };
}

/** An agent file may allow only a narrower mode than the session has; do not force the session's mode on it. */
async function refuseWider({ choosing, registry }: RouteMaking, wanted: SessionOptions, mode: Mode): Promise<void> {
  if (wanted.agent === undefined || registry.entryOf(wanted.agent) !== undefined) return;
  const own = (await choosing.choose(wanted)).asked.options.mode;
  if (own !== undefined && !isWithin(mode, own))
    throw new ReinsError("unsupported", `${wanted.agent} is for mode ${own} at most, and this is mode ${mode}.`);
}

/**
 * Removes options meant for the first agent only: another program would not know them or misread them. Settings of
 * its agent file are already among the options and would apply twice.
 */
function carried(options: SessionOptions): SessionOptions {
  const { agent: _a, agentFile: _g, model: _m, fallbackModel: _f, mode: _o, extraArgs: _e, ...others } = options;
  const { resume: _r, fork: _k, handoff: _h, ...rest } = others;
  return { ...rest, fallback: [] };
}
