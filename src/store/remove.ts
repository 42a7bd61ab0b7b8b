import type { Database } from "./database.ts";

/** Inside of a transaction. What was used stays in the records of usage. */
export function removeSession(db: Database, number: number, id: string): void {
  db.sql("DELETE FROM search WHERE rowid BETWEEN (? << 32) AND (? << 32) + 4294967295").run(number, number);
  for (const table of ["events", "legs", "turns", "blob_uses"])
    db.sql(`DELETE FROM ${table} WHERE session = ?`).run(number);
  db.sql("DELETE FROM leases WHERE session = ?").run(id);
  db.sql("DELETE FROM sessions WHERE number = ?").run(number);
}
