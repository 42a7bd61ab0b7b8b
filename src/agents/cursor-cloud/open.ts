/** From options to a conversation that takes prompts; one that goes on there is followed from where it is. */
import type { AgentContext, AgentSession, OpenOptions } from "../contract.ts";
import type { Api } from "./api.ts";
import { isOver } from "./client.ts";
import { aboutAgent } from "./errors.ts";
import { knownModel } from "./known-model.ts";
import { CloudSession } from "./session.ts";
import { decodeState } from "./state.ts";
import { Told } from "./told.ts";
import type { Versions } from "./versions.ts";

export async function openSession(
  context: AgentContext,
  service: { readonly api: Api; readonly versions: Versions },
  options: OpenOptions,
): Promise<AgentSession> {
  const { versions } = service;
  const place = options.state === undefined ? undefined : decodeState(options.state);
  const model = options.model === undefined ? undefined : await knownModel(versions, options.model);
  if (place === undefined)
    return new CloudSession({ context, options, ...service, told: new Told(undefined) }, undefined, model);
  const { agentId } = place;
  const run = await versions
    .of(agentId)
    .latestRun(agentId, { signal: options.signal })
    .catch((thrown: unknown) => {
      throw aboutAgent(agentId, thrown);
    });
  options.signal?.throwIfAborted();
  const goesOn = run !== undefined && !isOver(run.status);
  // The run that was left may have ended meanwhile: what it came to is still to be told.
  const missed = run !== undefined && !goesOn && place.runId === run.id;
  const known = place.runId === run?.id ? place : { agentId, runId: run?.id };
  const told = new Told(goesOn || missed ? known : { agentId });
  const session = new CloudSession({ context, options, ...service, told }, told.place, model, run?.id);
  const { mode, cwd } = options;
  told.start({ model, mode, cwd, resumed: true, state: session.state });
  if (goesOn || missed) session.attach(run);
  return session;
}
