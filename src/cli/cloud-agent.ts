import type { Cloud, Reins, SessionDetails } from "../core/api.ts";
import { ReinsError } from "../events/errors.ts";

export interface CloudAgentOf {
  readonly agent: string;
  readonly cloud: Cloud;
}

/** The agent that works elsewhere: the one that is named, or the only one there is. */
export async function cloudAgent(reins: Reins, named: string | undefined): Promise<CloudAgentOf> {
  const all = named === undefined ? await reins.clouds() : [named];
  const [agent] = all;
  if (agent === undefined) throw new ReinsError("unsupported", "There is no agent that works in the cloud.");
  if (all.length > 1)
    throw new ReinsError("invalid_input", `Several agents work in the cloud: ${all.join(", ")}.`, {
      help: "Say which one: -a <id>.",
    });
  const { cloud } = await reins.manage(agent);
  if (cloud !== undefined) return { agent, cloud };
  throw new ReinsError("invalid_input", `The agent ${agent} does not work in the cloud.`, {
    help: `Those that do: ${(await reins.clouds()).join(", ")}.`,
  });
}

export interface Meant {
  /** What it is called there. */
  readonly id: string;
  /** Its session of here, where it has one. */
  readonly kept: SessionDetails | undefined;
}

/** One that runs there, by its id there or by its session of here. */
export async function meant(reins: Reins, { agent, cloud }: CloudAgentOf, name: string): Promise<Meant> {
  const found = await reins.sessions.get(name).catch(() => undefined);
  const kept = found?.agent === agent && found.state !== undefined ? found : undefined;
  return { kept, id: kept?.state === undefined ? name : await cloud.idOf(kept.state) };
}
