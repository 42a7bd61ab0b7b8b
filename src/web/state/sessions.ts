import type { SessionList, SessionSummary } from "../../server/schemas/sessions.ts";
import { call, connection } from "./server.ts";
import { createStore, useStore } from "./store.ts";

interface SessionListState {
  /** Most recently used first. */
  readonly sessions: readonly SessionSummary[];
  /** Cursor of the next page. */
  readonly cursor: string | undefined;
  readonly loading: boolean;
  readonly loaded: boolean;
  readonly error: unknown;
}

/** Merges two lists in display order. For the same id the second list wins, unless its entry is older (a late answer). */
export function merged(
  sessions: readonly SessionSummary[],
  more: readonly SessionSummary[],
): readonly SessionSummary[] {
  const byId = new Map(sessions.map((session) => [session.id, session]));
  for (const session of more) {
    const known = byId.get(session.id);
    if (known === undefined || known.lastSeq <= session.lastSeq) byId.set(session.id, session);
  }
  return [...byId.values()].sort((a, b) => b.updatedAt.localeCompare(a.updatedAt) || b.id.localeCompare(a.id));
}

/** Adds a page. Entries `told` since it was requested are newer than the page; entries `gone` since then stay removed. */
export function withPage(
  known: readonly SessionSummary[],
  page: readonly SessionSummary[],
  since: { readonly isFirst: boolean; readonly told: ReadonlySet<string>; readonly gone: ReadonlySet<string> },
): readonly SessionSummary[] {
  // The first page was requested again: a session that is not in it was removed, or is on a later page that is loaded again.
  const earlier = since.isFirst ? known.filter(({ id }) => since.told.has(id)) : known;
  const still = page.filter(({ id }) => !since.gone.has(id));
  return merged(earlier, still);
}

export function without(sessions: readonly SessionSummary[], id: string): readonly SessionSummary[] {
  return sessions.filter((session) => session.id !== id);
}

const pageSize = 100;
const nothingYet = { cursor: undefined, loading: false, loaded: false, error: undefined };
const store = createStore<SessionListState>({ sessions: [], ...nothingYet });
/** Session ids received since the list was last requested. */
const told = new Set<string>();
const gone = new Set<string>();

export function useSessions(): SessionListState {
  return useStore(store);
}

export function useSummary(id: string | undefined): SessionSummary | undefined {
  const { sessions } = useStore(store);
  return id === undefined ? undefined : sessions.find((session) => session.id === id);
}

/** Adds a session from the answer to one of the page's calls. */
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
  return connection.watchAll({
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
