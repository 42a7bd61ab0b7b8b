/** A session as the list shows it: what is kept of it, and what this server knows besides. */
import type { StoredSession } from "../core/log.ts";
import type { OpenSession } from "./open-session.ts";
import type { SessionSummary } from "./schemas/sessions.ts";

/** A turn that nobody is going to end is ended before anything is listed: one that is open runs, here or elsewhere. */
export function keptSummary(stored: StoredSession, open: OpenSession | undefined): SessionSummary {
  if (open === undefined) return { ...stored, open: false, running: stored.openTurn !== undefined, waiting: [] };
  const { running, waiting, lastSeq } = open;
  const { agent } = open.session;
  return { ...stored, agent, lastSeq: Math.max(lastSeq, stored.lastSeq), open: true, running, waiting };
}

/** One in which nothing was asked yet. */
export function openSummary({ session, title, lastSeq, running, waiting, openedAt }: OpenSession): SessionSummary {
  const { id, cwd, agent, state } = session;
  const at = { createdAt: openedAt, updatedAt: openedAt };
  return { id, cwd, title, agent, state, ...at, lastSeq, turns: 0, open: true, running, waiting };
}
