import type { BreakerRow, Breakers } from "../core/log/types.ts";
import type { ErrorCode } from "../events/errors.ts";
import type { Database } from "./database.ts";

interface Row {
  key: string;
  until: number;
  code: ErrorCode | null;
  reason: string;
}

/** What is down until when, for every process. */
export function breakerTable(db: Database): Breakers {
  return {
    list: (now = Date.now()): readonly BreakerRow[] =>
      db.reading(() =>
        (db.sql("SELECT * FROM breakers WHERE until > ? ORDER BY key").all(now) as unknown as Row[]).map(
          ({ key, until, code, reason }) => ({ key, until, code: code ?? undefined, reason }),
        ),
      ),
    set: ({ key, until, code, reason }) => {
      db.reading(() =>
        db
          .sql("INSERT OR REPLACE INTO breakers (key, until, code, reason) VALUES (?, ?, ?, ?)")
          .run(key, Math.round(until), code ?? null, reason),
      );
    },
    clear: (key) => {
      db.reading(() => db.sql("DELETE FROM breakers WHERE key = ?").run(key));
    },
  };
}
