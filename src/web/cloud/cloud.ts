/** Loads the cloud agents of every agent that is ready. */
import { useEffect } from "react";
import type { CloudAgentAnswer, CloudPageAnswer, CloudsAnswer } from "../../server/schemas/cloud.ts";
import { useAgents } from "../state/agents.ts";
import { call } from "../state/server.ts";
import { createStore } from "../state/store.ts";

/** Poll interval while the list is on screen. */
const everyMs = 60_000;

export interface CloudEntry {
  readonly agent: string;
  readonly work: CloudAgentAnswer;
}

interface CloudState {
  readonly entries: readonly CloudEntry[];
  /** Errors of the services, by agent. */
  readonly errors: ReadonlyMap<string, unknown>;
}

export const cloudStore = createStore<CloudState>({ entries: [], errors: new Map() });

export function useCloudKept(): void {
  const { agents } = useAgents();
  // An agent that is not signed in has no key to ask with.
  const ready = agents
    .filter((agent) => agent.ready)
    .map(({ id }) => id)
    .join(" ");
  useEffect(() => {
    if (ready === "") return undefined;
    const look = (): void => {
      if (document.visibilityState === "visible") void load(new Set(ready.split(" ")));
    };
    look();
    const timer = setInterval(look, everyMs);
    return () => clearInterval(timer);
  }, [ready]);
}

async function load(ready: ReadonlySet<string>): Promise<void> {
  const clouds = await call<CloudsAnswer>("GET", "/api/cloud").catch(() => ({ agents: [] }));
  const errors = new Map<string, unknown>();
  const pages = await Promise.all(
    clouds.agents
      .filter((agent) => ready.has(agent))
      .map((agent) =>
        call<CloudPageAnswer>("GET", `/api/cloud/${encodeURIComponent(agent)}?limit=50`).then(
          (page) => page.agents.map((work) => ({ agent, work })),
          (thrown: unknown) => {
            errors.set(agent, thrown);
            return cloudStore.get().entries.filter((entry) => entry.agent === agent);
          },
        ),
      ),
  );
  cloudStore.set({ entries: pages.flat(), errors });
}

export function forgetCloud(agent: string, id: string): void {
  const { entries, errors } = cloudStore.get();
  cloudStore.set({ entries: entries.filter((entry) => entry.agent !== agent || entry.work.id !== id), errors });
}
