import type { SessionList, SessionSummary } from "../../server/schemas/sessions.ts";
import { call, connection } from "./server.ts";
import { createStore, useStore } from "./store.ts";

interface SessionListState {
  /** Last used first. */
  readonly sessions: readonly SessionSummary[];
  /** Where the next page begins. */
  readonly cursor: string | undefined;
  readonly loading: boolean;
  readonly loaded: boolean;
  readonly error: unknown;
}

/** In the order of the list; of two with one id the later one counts, unless it is an older answer that came late. */
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

/** A page that was asked for a while ago: what was `told` since is newer, and what is `gone` since does not come back. */
export function withPage(
  known: readonly SessionSummary[],
  page: readonly SessionSummary[],
  since: { readonly isFirst: boolean; readonly told: ReadonlySet<string>; readonly gone: ReadonlySet<string> },
): readonly SessionSummary[] {
  // The first page again: what is not in it was removed meanwhile, or is on a page that is asked for again.
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
/** Since the list was last asked for. */
const told = new Set<string>();
const gone = new Set<string>();

export function useSessions(): SessionListState {
  return useStore(store);
}

export function useSummary(id: string | undefined): SessionSummary | undefined {
  const { sessions } = useStore(store);
  return id === undefined ? undefined : sessions.find((session) => session.id === id);
}

/** A session from the answer to a call of the page. */
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
