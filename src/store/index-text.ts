/**
 * The full-text index. It is written after the events, in large steps, and stores how far it got, so a later run adds
 * what a crash left out.
 */
import { clipText } from "../events/clip.ts";
import type { EventType, ReinsEvent } from "../events/types.ts";
import type { Database } from "./database.ts";
import { eventOf } from "./rows.ts";

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

/**
 * Adds texts to the index. `texts` must be all texts of the session after the indexed position, up to `upTo`. Call
 * inside a transaction.
 */
export function indexTexts(db: Database, session: number, texts: readonly Text[], upTo: number): void {
  const { done } = db.row<{ done: number }>("SELECT indexed_seq AS done FROM sessions WHERE number = ?", [session])!;
  const insert = db.sql("INSERT INTO search (rowid, text) VALUES ((? << 32) + ?, ?)");
  // Another process may have indexed some of them for a search.
  for (const { seq, text } of texts) if (seq > done) insert.run(session, seq, text);
  db.run("UPDATE sessions SET indexed_seq = max(indexed_seq, ?) WHERE number = ?", [upTo, session]);
}

/** Indexes all remaining events of a session. Call inside a transaction. */
export function indexRest(db: Database, session: number): void {
  const { last } = db.row<{ last: number }>("SELECT last_seq AS last FROM sessions WHERE number = ?", [session])!;
  const rows = db.rows<{ line: string }>(
    `SELECT e.line FROM events e JOIN sessions s ON s.number = e.session
     WHERE e.session = ? AND e.seq > s.indexed_seq AND e.type IN (SELECT value FROM json_each(?)) ORDER BY e.seq`,
    [session, JSON.stringify(searched)],
  );
  const texts = rows.flatMap(({ line }) => {
    const event = eventOf(line);
    const text = searchText(event);
    return text === undefined ? [] : [{ seq: event.seq, text }];
  });
  indexTexts(db, session, texts, last);
}

export function indexAll(db: Database): void {
  const behind = db.rows<{ number: number }>("SELECT number FROM sessions WHERE indexed_seq < last_seq");
  for (const { number } of behind) db.transaction(() => indexRest(db, number));
}

/** Maximum bytes of one tool output that can be searched. Longer outputs are listings or logs, and their beginning is enough. */
const outputBytes = 16 * 1024;

/** The searchable text of an event: prompts, answers, tools with their output, and files. Discarded messages are not included. */
export function searchText(event: ReinsEvent): string | undefined {
  const text = textOf(event)?.trim();
  return text === "" ? undefined : text;
}

function textOf(event: ReinsEvent): string | undefined {
  switch (event.type) {
    case "turn.started":
      return event.input?.text;
    case "input.added":
    case "message.completed":
      return event.text;
    case "tool.started":
      return event.title;
    case "tool.completed":
      return clipText(event.output.text, outputBytes).text;
    case "tool.failed":
      return clipText(event.error.message, outputBytes).text;
    case "file.changed":
      return event.oldPath === undefined ? event.path : `${event.oldPath} ${event.path}`;
    default:
      return undefined;
  }
}
