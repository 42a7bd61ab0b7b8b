/** Chooses and starts cloud agents, for the terminal, the page and the command. */
import type { Cloud, Reins, SessionOptions } from "../core/api.ts";
import { ReinsError } from "../events/errors.ts";
import type { CloudTarget } from "../view/cloud.ts";

/** An agent in the list of a service. */
export type CloudAgent = Awaited<ReturnType<Cloud["get"]>>;

export interface ChosenCloud {
  /** The id of the agent whose sessions run in the cloud. */
  readonly agent: string;
  readonly cloud: Cloud;
}

/** The named agent, else the only one that works in the cloud, else the first of them that is ready. */
export async function chooseCloud(
  reins: Pick<Reins, "clouds" | "agents" | "manage">,
  named?: string,
): Promise<ChosenCloud> {
  const all = named === undefined ? await reins.clouds() : [named];
  const agent = all.length > 1 ? await firstReady(reins, all) : all[0];
  if (agent === undefined) throw new ReinsError("unsupported", "There is no cloud agent on this machine.");
  const { cloud } = await reins.manage(agent);
  if (cloud !== undefined) return { agent, cloud };
  throw new ReinsError("invalid_input", `The agent ${agent} is not a cloud agent.`, {
    help: `Cloud agents: ${(await reins.clouds()).join(", ")}.`,
  });
}

async function firstReady(reins: Pick<Reins, "agents">, ids: readonly string[]): Promise<string | undefined> {
  const ready = new Set((await reins.agents()).filter((agent) => agent.ready).map(({ id }) => id));
  return ids.find((id) => ready.has(id)) ?? ids[0];
}

/** Throws `not_authenticated` with the next step, before a person is asked for anything else. */
export async function requireReady(reins: Pick<Reins, "agents">, id: string): Promise<void> {
  const agent = (await reins.agents()).find((one) => one.id === id);
  if (agent === undefined || agent.ready) return;
  const signedOut = agent.signedIn === "no";
  const message = signedOut ? `You are not signed in to ${agent.name}.` : `${agent.name} is not ready.`;
  throw new ReinsError(signedOut ? "not_authenticated" : "invalid_input", message, { agent: id, help: agent.help });
}

export const noRepository = "No repository is chosen: a cloud agent works on a repository that it can reach.";

/** Session options for a prompt to a cloud agent. Its mode is `full`: it works on a machine of its own and cannot ask. */
export function cloudSession(agent: string, target: CloudTarget): Pick<SessionOptions, "agent" | "mode" | "remote"> {
  const { repository, ref, branch, createPr } = target;
  if (repository === undefined) throw new ReinsError("invalid_input", noRepository);
  return { agent, mode: "full", remote: { repository, ref, branch, createPr } };
}
