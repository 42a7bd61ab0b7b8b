import type { ImportedSession } from "../core/log.ts";
import { Bookkeeper } from "./bookkeeper.ts";
import type { Database } from "./database.ts";
import { lineOf } from "./line.ts";
import { removeSession } from "./remove.ts";

/** Inside of a transaction: a whole session from elsewhere, and the id that it has here. */
export function addSession(db: Database, session: ImportedSession): string {
  const { source, events } = session;
  const known = db.sql("SELECT number, id, last_seq, updated_at FROM sessions WHERE source = ?").get(source) as
    | { number: number; id: string; last_seq: number; updated_at: number }
    | undefined;
  const updatedAt = Date.parse(session.updatedAt);
  // It went on here, or nothing new happened there.
  if (known !== undefined && (known.updated_at >= updatedAt || known.last_seq > events.length)) return known.id;
  if (known !== undefined) removeSession(db, known.number, known.id);
  const id = known?.id ?? session.id;
  const own = events.map((event) => ({ ...event, sessionId: id }));
  const book = new Bookkeeper(db, id, { cwd: session.cwd, mode: "ask" });
  if (own.length > 0) book.write(own, own.map(lineOf));
  db.sql(
    `UPDATE sessions SET source = ?, created_at = ?, updated_at = ?, title = coalesce(?, title),
     titled_by = CASE WHEN ? IS NULL THEN titled_by ELSE 'agent' END, mode = NULL WHERE id = ?`,
  ).run(source, Date.parse(session.createdAt), updatedAt, session.title ?? null, session.title ?? null, id);
  return id;
}
