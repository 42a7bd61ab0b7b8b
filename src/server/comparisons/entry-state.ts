/** What became of an entry, by its session. */
import type { OpenSessions } from "../open-sessions.ts";
import type { EntryState } from "../schemas/comparisons.ts";
import type { EntryRecord } from "./record.ts";

export async function entryState(open: OpenSessions, { session, error }: EntryRecord): Promise<EntryState> {
  if (error !== undefined) return "failed";
  const found = session === undefined ? undefined : await open.named(session).catch(() => undefined);
  if (found === undefined) return "gone";
  if (found.waiting.length > 0) return "waiting";
  if (found.running) return "running";
  // One that is held and was not asked anything yet is about to be.
  return found.outcome ?? (found.open ? "running" : "gone");
}
