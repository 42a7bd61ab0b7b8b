import type { BreakerRow, Breakers } from "../core/log/types.ts";
import type { Database } from "./database.ts";
import { fromRow, type Row } from "./rows.ts";

/** Stores which agents are unavailable until when, shared by all processes. */
export function breakerTable(db: Database): Breakers {
  const current = "SELECT * FROM breakers WHERE until > ? ORDER BY key";
  const put = "INSERT OR REPLACE INTO breakers (key, until, code, reason) VALUES (?, ?, ?, ?)";
  return {
    list: (now = Date.now()) => db.reading(() => db.rows<Row>(current, [now])).map((row) => fromRow<BreakerRow>(row)),
    set: ({ key, until, code, reason }) => void db.reading(() => db.run(put, [key, Math.round(until), code, reason])),
    clear: (key) => void db.reading(() => db.run("DELETE FROM breakers WHERE key = ?", [key])),
  };
}
