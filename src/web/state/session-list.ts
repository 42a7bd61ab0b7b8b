/** The list of sessions, as pages of it come in and as single ones change. Pure. */
import type { SessionSummary } from "../../server/schemas/sessions.ts";

export interface SessionListState {
  /** The one used last first. */
  readonly sessions: readonly SessionSummary[];
  /** Where the next page begins. */
  readonly cursor: string | undefined;
  readonly loading: boolean;
  /** The first page was answered. */
  readonly loaded: boolean;
  readonly error: unknown;
}

export const noSessions: SessionListState = {
  sessions: [],
  cursor: undefined,
  loading: false,
  loaded: false,
  error: undefined,
};

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
  {
    isFirst,
    told,
    gone,
  }: { readonly isFirst: boolean; readonly told: ReadonlySet<string>; readonly gone: ReadonlySet<string> },
): readonly SessionSummary[] {
  // The first page again: what is not in it was removed meanwhile, or is on a page that is asked for again.
  const earlier = isFirst ? known.filter(({ id }) => told.has(id)) : known;
  return merged(
    earlier,
    page.filter(({ id }) => !gone.has(id)),
  );
}

export function without(sessions: readonly SessionSummary[], id: string): readonly SessionSummary[] {
  return sessions.filter((session) => session.id !== id);
}
