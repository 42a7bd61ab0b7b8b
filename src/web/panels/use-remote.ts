import { useCallback, useEffect, useState } from "react";
import { call } from "../state/api.ts";

export interface Fetched<Value> {
  /** The last that was answered. */
  readonly value: Value | undefined;
  readonly error: unknown;
  readonly reload: () => void;
}

/** What is at a path, as long as somebody looks at it. */
export function useRemote<Value>(path: string): Fetched<Value> {
  const [state, setState] = useState<{ path: string; value?: Value; error?: unknown }>({ path });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    call<Value>("GET", path, undefined, { signal: leaving.signal }).then(
      (value) => setState({ path, value }),
      (error: unknown) => {
        if (!leaving.signal.aborted) setState((before) => ({ ...(before.path === path ? before : { path }), error }));
      },
    );
    return () => leaving.abort();
  }, [path, round]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  const known = state.path === path ? state : undefined;
  return { value: known?.value, error: known?.error, reload };
}
