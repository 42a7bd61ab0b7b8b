/** Makes the route of a session from what was asked for: who stands in it, and what each is opened with when it takes over. */
import { ReinsError } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import type { SessionOptions } from "../api.ts";
import type { Choosing, Chosen } from "../choosing.ts";
import { divergences } from "../divergences.ts";
import { withLocale } from "../locale.ts";
import type { ModelLists } from "../model-lists.ts";
import { ownName } from "../models.ts";
import type { Registry } from "../registry.ts";
import type { Breaker } from "./breaker.ts";
import { choicesOf } from "./configured-route.ts";
import type { NextHolder, Route } from "./relay.ts";
import { routeOf } from "./route.ts";

export interface RouteMaking {
  readonly choosing: Choosing;
  readonly registry: Registry;
  readonly models: ModelLists;
  readonly breaker: Breaker;
}

export function routeFor(making: RouteMaking, chosen: Chosen): Route {
  const { asked, agent, configured } = chosen;
  const { options } = asked;
  const names = routeOf(options.agent ?? agent.id, options.fallback);
  return {
    names,
    choices: choicesOf(options.route, configured.route),
    breaker: making.breaker,
    prepare: (name, mode) => prepare(making, { ...options, cwd: chosen.cwd }, name, mode),
  };
}

async function prepare(making: RouteMaking, options: SessionOptions, name: string, mode: Mode): Promise<NextHolder> {
  const { choosing, registry, models } = making;
  const { agent, entry, model, fallbackModel, asked } = await choosing.choose({
    ...carried(options),
    agent: name,
    mode,
  });
  const { ready, help } = await registry.readiness.of(agent);
  const refuse = (what: string): never => {
    throw new ReinsError("unsupported", `${agent.name} ${what}.`, { agent: agent.id, help });
  };
  if (!ready) refuse("is not ready");
  // What was kept from the one must not become possible with the next.
  if ((asked.options.tools?.disallowed?.length ?? 0) > 0 && !agent.capabilities.toolFilter)
    refuse("cannot be kept from single tools");
  const listed = await models.remembered(agent.id);
  return {
    name,
    agent,
    options: { ...withLocale(agent, asked.options), model, fallbackModel },
    ownModel: (wanted) => ownName(entry, wanted),
    remarks: divergences(agent, asked.options),
    contextSize: listed?.find((one) => (model === undefined ? one.default : one.id === model))?.contextSize,
  };
}

/** Without what was meant for the first agent alone: another one's program would not know it, or take it for something else. */
function carried(options: SessionOptions): SessionOptions {
  const {
    agent: _a,
    model: _m,
    fallbackModel: _f,
    resume: _r,
    fork: _k,
    extraArgs: _e,
    handoff: _h,
    ...rest
  } = options;
  return { ...rest, fallback: [] };
}
