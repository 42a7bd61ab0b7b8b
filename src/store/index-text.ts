/** The index of the search. It is written behind the events, in large steps, and knows how far it has come: what a crash left out follows later. */
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

/** Inside of a transaction: these are all the texts of a session behind what is in the index, up to an event. */
export function indexTexts(db: Database, session: number, texts: readonly Text[], upTo: number): void {
  const { done } = db.row<{ done: number }>("SELECT indexed_seq AS done FROM sessions WHERE number = ?", [session])!;
  const insert = db.sql("INSERT INTO search (rowid, text) VALUES ((? << 32) + ?, ?)");
  // Another process may have looked for something meanwhile.
  for (const { seq, text } of texts) if (seq > done) insert.run(session, seq, text);
  db.run("UPDATE sessions SET indexed_seq = max(indexed_seq, ?) WHERE number = ?", [upTo, session]);
}

/** Inside of a transaction: whatever of a session is not in the index yet. */
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

/** Every session that went on since it was last looked at. */
export function indexAll(db: Database): void {
  const behind = db.rows<{ number: number }>("SELECT number FROM sessions WHERE indexed_seq < last_seq");
  for (const { number } of behind) db.transaction(() => indexRest(db, number));
}

/** How much of one output can be searched: a longer one is a listing or a log, which its beginning tells. */
const outputBytes = 16 * 1024;

/** The text of an event that can be searched: prompts, answers, tools and their output, files. Never what was discarded. */
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
