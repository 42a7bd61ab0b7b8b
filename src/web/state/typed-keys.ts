/** API keys that were typed into this page. They stay in memory and are sent with each session that is created here. */
import { createStore, useStore } from "./store.ts";

type Variables = Readonly<Record<string, string>>;

const keys = createStore<ReadonlyMap<string, Variables>>(new Map());

export function keepKey(agent: string, variable: string, value: string): void {
  keys.set(new Map(keys.get()).set(agent, { ...keys.get().get(agent), [variable]: value }));
}

/** By agent id. */
export function useTypedKeys(): ReadonlyMap<string, Variables> {
  return useStore(keys);
}
