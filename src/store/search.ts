/** Full-text search. The newest first: whoever searches remembers when better than how often. */
import type { SearchHit, SearchOptions } from "../core/log.ts";
import { ReinsError } from "../events/errors.ts";
import { oneLine } from "../events/printable.ts";
import type { Database } from "./database.ts";
import { excerptOf } from "./excerpt.ts";
import { indexAll } from "./index-text.ts";
import { eventOf } from "./line.ts";
import type { SessionRow } from "./rows.ts";
import { sessionColumns, storedSession } from "./rows.ts";
import { searchText } from "./search-text.ts";

/** How many places are looked at for one that is asked for: a session with many of them is told once for each event. */
const perHit = 50;

export function searchStore(
  db: Database,
  words: string,
  { cwd, agent, limit = 20 }: SearchOptions = {},
): readonly SearchHit[] {
  const wanted = words.match(/[\p{L}\p{N}]+/gu) ?? [];
  if (wanted.length === 0) throw new ReinsError("invalid_input", "There is no word to search for.");
  return db.reading(() => {
    indexAll(db);
    const found = db
      .sql(
        "SELECT rowid >> 32 AS number, rowid & 4294967295 AS seq FROM search WHERE search MATCH ? ORDER BY rowid DESC LIMIT ?",
      )
      .all(wanted.map((word) => `"${word}"*`).join(" "), limit * perHit) as unknown as {
      number: number;
      seq: number;
    }[];
    const hits: SearchHit[] = [];
    const sessions = new Map<number, SessionRow | undefined>();
    for (const { number, seq } of found) {
      if (hits.length >= limit) break;
      if (!sessions.has(number))
        sessions.set(
          number,
          db.sql(`SELECT ${sessionColumns} WHERE s.number = ?`).get(number) as unknown as SessionRow | undefined,
        );
      const session = sessions.get(number);
      if (session === undefined || (cwd ?? session.cwd) !== session.cwd || (agent ?? session.agent) !== session.agent)
        continue;
      const row = db.sql("SELECT line FROM events WHERE session = ? AND seq = ?").get(number, seq) as
        | { line: string }
        | undefined;
      if (row === undefined) continue;
      const event = eventOf(row.line);
      const excerpt = oneLine(excerptOf(searchText(event) ?? "", wanted));
      hits.push({ session: storedSession(session), seq, type: event.type, time: event.time, excerpt });
    }
    return hits;
  });
}
