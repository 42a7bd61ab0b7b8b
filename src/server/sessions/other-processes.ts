/** Watches the store for sessions written by other Reins processes. */
import type { Store, StoredSession } from "../../core/log/types.ts";

const lookMs = 1_000;
/** Check only the most recently used sessions; using a session moves it to the front. */
const looked = 50;

export interface WatchOptions {
  readonly store: Store;
  /** Sessions of this server are not watched. */
  readonly isHeld: (id: string) => boolean;
  readonly onChange: (session: StoredSession) => void;
  readonly onError: (thrown: unknown) => void;
}

export function watchOtherProcesses({ store, isHeld, onChange, onError }: WatchOptions): () => void {
  const seen = new Map<string, string>();
  const look = (tell: boolean): void => {
    try {
      for (const session of store.sessions.list({ limit: looked })) {
        const { id, title, lastSeq, openTurn, updatedAt } = session;
        // Reporting every event would be too much.
        const mark = JSON.stringify([title, openTurn, openTurn === undefined ? [lastSeq, updatedAt] : 0]);
        if (tell && !isHeld(id) && seen.get(id) !== mark) onChange(session);
        seen.set(id, mark);
      }
    } catch (thrown) {
      onError(thrown);
    }
  };
  look(false);
  const timer = setInterval(look, lookMs, true).unref();
  return () => clearInterval(timer);
}
