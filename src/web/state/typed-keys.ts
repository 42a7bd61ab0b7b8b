/** Keys of agents that were typed into this page. They are in its memory only, and go along with each session that is begun here. */
import { createStore, useStore } from "./store.ts";

type Variables = Readonly<Record<string, string>>;

const keys = createStore<ReadonlyMap<string, Variables>>(new Map());

export function keepKey(agent: string, variable: string, value: string): void {
  keys.set(new Map(keys.get()).set(agent, { ...keys.get().get(agent), [variable]: value }));
}

/** By the id of the agent. */
export function useTypedKeys(): ReadonlyMap<string, Variables> {
  return useStore(keys);
}
