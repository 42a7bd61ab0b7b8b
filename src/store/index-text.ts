/** The index of the search. It is written behind the events, in large steps, and knows how far it has come: what a crash left out follows later. */
import type { EventType } from "../events/types.ts";
import type { Database } from "./database.ts";
import { eventOf } from "./rows.ts";
import { searchText } from "./search-text.ts";

export interface Text {
  readonly seq: number;
  readonly text: string;
}

const searched: readonly EventType[] = [
  "turn.started",
  "input.added",
  "message.completed",
  "tool.started",
  "tool.completed",
  "tool.failed",
  "file.changed",
];

/** Inside of a transaction: these are all the texts of a session behind what is in the index, up to an event. */
export function indexTexts(db: Database, session: number, texts: readonly Text[], upTo: number): void {
  const { indexed_seq: done } = db.sql("SELECT indexed_seq FROM sessions WHERE number = ?").get(session) as {
    indexed_seq: number;
  };
  const insert = db.sql("INSERT INTO search (rowid, text) VALUES ((? << 32) + ?, ?)");
  // Another process may have looked for something meanwhile.
  for (const { seq, text } of texts) if (seq > done) insert.run(session, seq, text);
  db.sql("UPDATE sessions SET indexed_seq = max(indexed_seq, ?) WHERE number = ?").run(upTo, session);
}

/** Inside of a transaction: whatever of a session is not in the index yet. */
export function indexRest(db: Database, session: number): void {
  const { last_seq: last } = db.sql("SELECT last_seq FROM sessions WHERE number = ?").get(session) as {
    last_seq: number;
  };
  const rows = db
    .sql(
      `SELECT e.line FROM events e JOIN sessions s ON s.number = e.session
       WHERE e.session = ? AND e.seq > s.indexed_seq AND e.type IN (SELECT value FROM json_each(?)) ORDER BY e.seq`,
    )
    .all(session, JSON.stringify(searched)) as unknown as { line: string }[];
  const texts = rows.flatMap(({ line }) => {
    const event = eventOf(line);
    const text = searchText(event);
    return text === undefined ? [] : [{ seq: event.seq, text }];
  });
  indexTexts(db, session, texts, last);
}

/** Every session that went on since it was last looked at. */
export function indexAll(db: Database): void {
  const behind = db.sql("SELECT number FROM sessions WHERE indexed_seq < last_seq").all() as unknown as {
    number: number;
  }[];
  for (const { number } of behind) db.transaction(() => indexRest(db, number));
}
