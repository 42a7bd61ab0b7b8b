import { eventLine } from "../core/log/event-batch.ts";
import type { ImportedSession } from "../core/log/types.ts";
import type { ReinsEvent } from "../events/types.ts";
import { Bookkeeper } from "./bookkeeper.ts";
import type { Database } from "./database.ts";
import { removeSession } from "./rows.ts";

/** Adds an imported session and returns its id in this store. Call it inside a transaction. */
export function addSession(db: Database, session: ImportedSession): string {
  const { source, events } = session;
  const known = db.row<{ number: number; id: string; last_seq: number; source_seq: number; updated_at: number }>(
    "SELECT number, id, last_seq, source_seq, updated_at FROM sessions WHERE source = ?",
    [source],
  );
  const updatedAt = Date.parse(session.updatedAt);
  // The session continued here, or nothing new happened at the source.
  if (known !== undefined && (known.updated_at >= updatedAt || known.last_seq > known.source_seq)) return known.id;
  // Another process is using the session now.
  if (known !== undefined && db.row("SELECT 1 FROM leases WHERE session = ?", [known.id]) !== undefined)
    return known.id;
  const held = known === undefined ? heldHere(db, events) : undefined;
  if (held !== undefined) return held;
  if (known !== undefined) removeSession(db, known.number, known.id);
  const id = known?.id ?? session.id;
  const own = events.map((event) => ({ ...event, sessionId: id }));
  const book = new Bookkeeper(db, id, { cwd: session.cwd, mode: "ask", counts: false });
  if (own.length > 0) {
    book.write(own, own.map(eventLine));
    book.index(own.length);
  }
  db.run(
    `UPDATE sessions SET source = ?, source_seq = last_seq, created_at = ?, updated_at = ?, title = coalesce(?, title),
     titled_by = CASE WHEN ? IS NULL THEN titled_by ELSE 'agent' END, mode = NULL WHERE id = ?`,
    [source, Date.parse(session.createdAt), updatedAt, session.title, session.title, id],
  );
  return id;
}

/** Finds the session when the imported conversation was originally run through Reins. */
function heldHere(db: Database, events: readonly ReinsEvent[]): string | undefined {
  for (const event of events) {
    if (event.type !== "session.started" || event.state === undefined) continue;
    const found = db.row<{ id: string }>(
      "SELECT s.id FROM legs l JOIN sessions s ON s.number = l.session WHERE l.state = ? LIMIT 1",
      [event.state],
    );
    if (found !== undefined) return found.id;
  }
  return undefined;
}
