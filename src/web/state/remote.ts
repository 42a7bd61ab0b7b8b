/** What was asked of the server, and is kept to be shown again at once. */
import { useEffect } from "react";
import { call } from "./api.ts";
import { createStore, useStore } from "./store.ts";
import type { Store } from "./store.ts";

export interface Remote<Value> {
  /** The last that was answered; it stays while it is asked again. */
  readonly value: Value | undefined;
  readonly loading: boolean;
  readonly error: unknown;
}

export interface Resource<Value> {
  readonly store: Store<Remote<Value>>;
  /** Asks; one question at a time. */
  load(path?: string): Promise<void>;
}

export function createResource<Value>(usualPath: string): Resource<Value> {
  const store = createStore<Remote<Value>>({ value: undefined, loading: false, error: undefined });
  let asking: Promise<void> | undefined;
  const ask = async (path: string): Promise<void> => {
    store.set({ ...store.get(), loading: true });
    try {
      store.set({ value: await call<Value>("GET", path), loading: false, error: undefined });
    } catch (error) {
      store.set({ ...store.get(), loading: false, error });
    }
  };
  return {
    store,
    load(path = usualPath) {
      asking ??= ask(path).finally(() => (asking = undefined));
      return asking;
    },
  };
}

/** Asked for when it is first needed. */
export function useResource<Value>(resource: Resource<Value>): Remote<Value> {
  const remote = useStore(resource.store);
  const missing = remote.value === undefined && remote.error === undefined;
  useEffect(() => {
    if (missing) void resource.load();
  }, [resource, missing]);
  return remote;
}
