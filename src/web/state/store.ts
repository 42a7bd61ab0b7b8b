/** A value that components subscribe to. */
import { useSyncExternalStore } from "react";

export interface Store<Value> {
  readonly get: () => Value;
  readonly set: (value: Value) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

export function createStore<Value>(initial: Value): Store<Value> {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set(value) {
      if (Object.is(value, current)) return;
      current = value;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useStore<Value>(store: Store<Value>): Value {
  return useSyncExternalStore(store.subscribe, store.get);
}

type Storage = "localStorage" | "sessionStorage";

/** Reads a text from the browser's storage. Undefined when storage is blocked. */
export function readKept(key: string, storage: Storage = "localStorage"): string | undefined {
  try {
    return globalThis[storage].getItem(`reins.${key}`) ?? undefined;
  } catch {
    return undefined;
  }
}

export function keep(key: string, text: string, storage: Storage = "localStorage"): void {
  try {
    if (text === "") globalThis[storage].removeItem(`reins.${key}`);
    else globalThis[storage].setItem(`reins.${key}`, text);
  } catch {
    // Storage is blocked: the value lasts until the page is closed.
  }
}
