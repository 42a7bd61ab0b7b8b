/**
 * Full-text search. The most recently used sessions come first: people remember when they did something better than
 * how often a word occurs.
 */
import type { SearchHit, SearchOptions } from "../core/log/types.ts";
import { ReinsError } from "../events/errors.ts";
import { oneLine } from "../events/printable.ts";
import type { Database } from "./database.ts";
import { indexAll, searchText } from "./index-text.ts";
import { eventOf, rowLimit, sessionColumns, storedSession, type SessionRow } from "./rows.ts";

/** Maximum number of matches that are sorted. When a word has more matches, only the newest sessions are searched. */
const mostPlaces = 200_000;

export function searchStore(
  db: Database,
  words: string,
  { cwd, agent, limit = 20 }: SearchOptions = {},
): readonly SearchHit[] {
  // Normalise: a letter and its accent may be two code points, and the index stores one.
  const wanted = words.normalize("NFC").match(/[\p{L}\p{N}]+/gu) ?? [];
  if (wanted.length === 0) throw new ReinsError("invalid_input", "The query has no word to search for.");
  return db.reading(() => {
    indexAll(db);
    const places = db
      .sql(
        `SELECT found.place & 4294967295 AS seq, ${sessionColumns}
         JOIN (
           SELECT rowid AS place FROM search WHERE search MATCH $words AND ($cwd IS NULL AND $agent IS NULL OR rowid >> 32 IN (
             SELECT n.number FROM sessions n LEFT JOIN legs k ON k.session = n.number AND k.number = n.leg
             WHERE ($cwd IS NULL OR n.cwd = $cwd) AND ($agent IS NULL OR k.agent = $agent)
           )) ORDER BY rowid DESC LIMIT ${mostPlaces}
         ) found ON s.number = found.place >> 32
         ORDER BY s.updated_at DESC, found.place DESC LIMIT $limit`,
      )
      .all({
        words: wanted.map((word) => `"${word}"*`).join(" "),
        cwd: cwd ?? null,
        agent: agent ?? null,
        limit: rowLimit(limit),
      }) as unknown as (SessionRow & { readonly seq: number })[];
    return places.flatMap(({ seq, ...session }) => {
      const text = "SELECT line FROM events WHERE session = ? AND seq = ?";
      const row = db.row<{ line: string }>(text, [session.number, seq]);
      if (row === undefined) return [];
      const event = eventOf(row.line);
      const excerpt = oneLine(excerptOf(searchText(event) ?? "", wanted));
      return [{ session: storedSession(session), seq, type: event.type, time: event.time, excerpt }];
    });
  });
}

/** Returns the text around the first match of any of the words. */
export function excerptOf(text: string, words: readonly string[], width = 120): string {
  const folded = fold(text);
  const places = words.map((word) => folded.indexOf(fold(word))).filter((place) => place >= 0);
  const place = places.length === 0 ? 0 : Math.min(...places);
  const from = Math.max(0, place - Math.floor(width / 3));
  const to = Math.min(text.length, from + width);
  // Do not cut surrogate pairs in half.
  const piece = text.slice(from, to).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
  return `${from > 0 ? "…" : ""}${piece}${to < text.length ? "…" : ""}`;
}

/** Folds case and accents as the index does, and keeps the length, so that positions stay valid. */
function fold(text: string): string {
  return Array.from(text, (character) => {
    const plain = character.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
    return plain.length === character.length ? plain : character;
  }).join("");
}
