/** All sessions of all agents, kept up to date. */
import type { SessionList, SessionSummary } from "../../server/schemas/sessions.ts";
import { call } from "./api.ts";
import { live } from "./live.ts";
import { merged, noSessions, without, withPage } from "./session-list.ts";
import type { SessionListState } from "./session-list.ts";
import { createStore, useStore } from "./store.ts";

const pageSize = 100;
const store = createStore<SessionListState>(noSessions);
/** Since the list was last asked for. */
const told = new Set<string>();
const gone = new Set<string>();

export function useSessions(): SessionListState {
  return useStore(store);
}

/** What the list knows of one. */
export function useSummary(id: string | undefined): SessionSummary | undefined {
  const { sessions } = useStore(store);
  return id === undefined ? undefined : sessions.find((session) => session.id === id);
}

/** One that the page was told about otherwise: as the answer to a call of its own. */
export function knowSession(session: SessionSummary): void {
  told.add(session.id);
  store.set({ ...store.get(), sessions: merged(store.get().sessions, [session]) });
}

export function forgetSession(id: string): void {
  told.delete(id);
  gone.add(id);
  store.set({ ...store.get(), sessions: without(store.get().sessions, id) });
}

export async function loadMoreSessions(): Promise<void> {
  const { cursor, loading } = store.get();
  if (cursor !== undefined && !loading) await load(cursor);
}

export function followSessions(): () => void {
  return live.watchAll({
    onConnected: () => void load(undefined),
    onSession: knowSession,
    onRemoved: forgetSession,
  });
}

async function load(after: string | undefined): Promise<void> {
  store.set({ ...store.get(), loading: true });
  told.clear();
  gone.clear();
  try {
    const from = after === undefined ? "" : `&cursor=${encodeURIComponent(after)}`;
    const { sessions, cursor } = await call<SessionList>("GET", `/api/sessions?limit=${pageSize}${from}`);
    const list = withPage(store.get().sessions, sessions, { isFirst: after === undefined, told, gone });
    store.set({ sessions: list, cursor, loading: false, loaded: true, error: undefined });
  } catch (error) {
    store.set({ ...store.get(), loading: false, error });
  }
}
