/** Answers of the server: cached resources, and requests that live as long as a component. */
import { useCallback, useEffect, useState } from "react";
import { call } from "./server.ts";
import { createStore, useStore, type Store } from "./store.ts";

interface Remote<Value> {
  /** The last answer; kept while it is requested again. */
  readonly value: Value | undefined;
  readonly loading: boolean;
  readonly error: unknown;
}

export interface Resource<Value> {
  readonly store: Store<Remote<Value>>;
  /** Requests a path, one at a time. The same path is not requested twice at once; another path waits its turn. */
  load(path?: string): Promise<void>;
}

export function createResource<Value>(usualPath: string): Resource<Value> {
  const store = createStore<Remote<Value>>({ value: undefined, loading: false, error: undefined });
  let asking: { readonly path: string; readonly answered: Promise<void> } | undefined;
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
      if (asking?.path === path) return asking.answered;
      const answered = (asking?.answered ?? Promise.resolve())
        .then(() => ask(path))
        .finally(() => {
          if (asking?.answered === answered) asking = undefined;
        });
      asking = { path, answered };
      return answered;
    },
  };
}

/** Loads the resource on first use. */
export function useResource<Value>(resource: Resource<Value>): Remote<Value> {
  const remote = useStore(resource.store);
  const missing = remote.value === undefined && remote.error === undefined;
  useEffect(() => {
    if (missing) void resource.load();
  }, [resource, missing]);
  return remote;
}

interface Answered<Value> {
  readonly path?: string;
  readonly value?: Value;
  readonly error?: unknown;
}

/** The last answer of a path. Requested after `restMs`, and again for each round. Without a path nothing is requested. */
function useAnswered<Value>(path: string | undefined, restMs: number, round = 0): Answered<Value> {
  const [state, setState] = useState<Answered<Value>>({});
  useEffect(() => {
    if (path === undefined) return undefined;
    const leaving = new AbortController();
    const { signal } = leaving;
    const failed = (error: unknown): void => {
      if (!signal.aborted) setState((before) => ({ ...(before.path === path ? before : { path }), error }));
    };
    const ask = (): void =>
      void call<Value>("GET", path, undefined, { signal }).then((value) => setState({ path, value }), failed);
    const timer = setTimeout(ask, restMs);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [path, restMs, round]);
  return state;
}

export function useRemote<Value>(path: string) {
  const [round, setRound] = useState(0);
  const state = useAnswered<Value>(path, 0, round);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  const known = state.path === path ? state : undefined;
  return { value: known?.value, error: known?.error, reload };
}

interface Typed<Value> {
  /** The last answer; kept while the next one loads. */
  readonly value: Value | undefined;
  readonly asking: boolean;
  readonly failed: boolean;
}

/** Requests a path while a person types, once typing has paused. */
export function useTyped<Value>(path: string | undefined, restMs: number): Typed<Value> {
  const found = useAnswered<Value>(path, restMs);
  const asking = path !== undefined && found.path !== path;
  const value = path === undefined ? undefined : found.value;
  return { value, asking, failed: path !== undefined && !asking && value === undefined };
}
