/** Finds, reads, renames and removes the sessions of a store. */
import { eventLine } from "../core/log/event-batch.ts";
import type { ReadOptions, SessionFilter, StoredSession, StoredSessions } from "../core/log/types.ts";
import { ReinsError } from "../events/errors.ts";
import type { ReinsEvent } from "../events/types.ts";
import type { Database } from "./database.ts";
import { addSession } from "./add.ts";
import { Bookkeeper } from "./bookkeeper.ts";
import { forkSession } from "./fork.ts";
import {
  eventOf,
  legColumns,
  removeSession,
  rowLimit,
  sessionColumns,
  storedLeg,
  storedSession,
  storedTurn,
  turnColumns,
  type Row,
  type SessionRow,
} from "./rows.ts";

/** Shorter parts of a state are counters and versions, not ids. */
const shortestId = 6;

export class Sessions implements StoredSessions {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  list({ cwd, agent, before, limit }: SessionFilter = {}): readonly StoredSession[] {
    const place = "(s.updated_at, s.number) < (?, (SELECT number FROM sessions WHERE id = ?))";
    const wanted = [
      cwd === undefined ? undefined : { is: "s.cwd = ?", values: [cwd] },
      agent === undefined ? undefined : { is: "l.agent = ?", values: [agent] },
      before === undefined ? undefined : { is: place, values: [Date.parse(before.updatedAt), before.id] },
    ].filter((one) => one !== undefined);
    return this.#find(
      `${["s.turns > 0", ...wanted.map(({ is }) => is)].join(" AND ")} ORDER BY s.updated_at DESC, s.number DESC LIMIT ?`,
      ...wanted.flatMap(({ values }) => values),
      rowLimit(limit),
    );
  }

  get(id: string): StoredSession | undefined {
    const row = this.#row(id);
    return row === undefined ? undefined : storedSession(row);
  }

  lastIn(cwd: string): StoredSession | undefined {
    // A terminal recording cannot be resumed.
    const resumable = "coalesce(s.source, '') NOT LIKE 'terminal:%'";
    return this.#find(
      `s.turns > 0 AND s.cwd = ? AND ${resumable} ORDER BY s.updated_at DESC, s.number DESC LIMIT 1`,
      cwd,
    )[0];
  }

  folders(ref?: string): readonly string[] {
    const [where, values] =
      ref === undefined ? ["", []] : ["WHERE number IN (SELECT session FROM blob_uses WHERE hash = ?)", [ref]];
    const rows = this.#all<{ cwd: string }>(`SELECT DISTINCT cwd FROM sessions ${where}`, ...values);
    return rows.map(({ cwd }) => cwd);
  }

  byState(state: string): StoredSession | undefined {
    const [whole] = this.#find("l.state = ? AND s.copied = 0 ORDER BY s.updated_at DESC LIMIT 1", state);
    if (whole !== undefined || state.includes(":") || state.length < shortestId) return whole;
    // A state is `<agent id>:...`. One of its parts is the agent's own id of the conversation, plain or base64url.
    const part = "instr(l.state || ':', ':' || ? || ':') > 0";
    return this.#find(
      `(${part} OR ${part}) AND s.copied = 0 ORDER BY s.updated_at DESC LIMIT 1`,
      state,
      Buffer.from(state).toString("base64url"),
    )[0];
  }

  abandoned(): readonly StoredSession[] {
    return this.#find("s.open_turn IS NOT NULL AND s.id NOT IN (SELECT session FROM leases)");
  }

  legs(id: string): ReturnType<StoredSessions["legs"]> {
    return this.#all<Row>(
      `SELECT ${legColumns}, coalesce(lead(l.first_seq) OVER (ORDER BY l.number) - 1, s.last_seq) AS last_seq
       FROM legs l JOIN sessions s ON s.number = l.session WHERE l.session = ? ORDER BY l.number`,
      this.#number(id),
    ).map(storedLeg);
  }

  turns(id: string): ReturnType<StoredSessions["turns"]> {
    const text = `SELECT ${turnColumns} FROM turns WHERE session = ? ORDER BY first_seq`;
    return this.#all<Row>(text, this.#number(id)).map(storedTurn);
  }

  rename(id: string, title: string): void {
    const number = this.#number(id);
    this.#db.reading(() =>
      this.#db.run("UPDATE sessions SET title = ?, titled_by = 'person' WHERE number = ?", [title, number]),
    );
  }

  remove(id: string): void {
    const number = this.#number(id);
    this.#db.reading(() => this.#db.transaction(() => removeSession(this.#db, number, id)));
  }

  removeIfEmpty(id: string): void {
    this.#db.reading(() =>
      this.#db.transaction(() => {
        const text = "SELECT number FROM sessions WHERE id = ? AND turns = 0";
        const row = this.#db.row<{ number: number }>(text, [id]);
        if (row !== undefined) removeSession(this.#db, row.number, id);
      }),
    );
  }

  fork(id: string, newId: string): StoredSession {
    const number = this.#number(id);
    this.#db.reading(() => this.#db.transaction(() => forkSession(this.#db, number, newId)));
    return this.get(newId)!;
  }

  read(id: string, options: ReadOptions = {}): ReturnType<StoredSessions["read"]> {
    return this.lines(id, options).map(eventOf);
  }

  lines(id: string, { after = 0, limit, without = [] }: ReadOptions = {}): readonly string[] {
    const left = without.length === 0 ? "" : "AND type NOT IN (SELECT value FROM json_each(?))";
    const rows = this.#all<{ line: string }>(
      `SELECT line FROM events WHERE session = ? AND seq > ? ${left} ORDER BY seq LIMIT ?`,
      this.#number(id),
      after,
      ...(without.length === 0 ? [] : [JSON.stringify(without)]),
      rowLimit(limit),
    );
    return rows.map(({ line }) => line);
  }

  append(id: string, events: readonly ReinsEvent[]): void {
    const { cwd, mode = "ask", model, agentFile, forbidden } = this.get(id) ?? { cwd: "" };
    const book = new Bookkeeper(this.#db, id, { cwd, mode, model, agentFile, forbidden });
    this.#db.reading(() => this.#db.transaction(() => book.write(events, events.map(eventLine))));
  }

  add(session: Parameters<StoredSessions["add"]>[0]): StoredSession {
    const id = this.#db.reading(() => this.#db.transaction(() => addSession(this.#db, session)));
    return this.get(id)!;
  }

  #number(id: string): number {
    const row = this.#row(id);
    if (row !== undefined) return row.number;
    throw new ReinsError("session_not_found", `There is no session ${id}.`, {
      help: "`reins sessions` lists the stored sessions.",
    });
  }

  #row(id: string): SessionRow | undefined {
    const [exact] = this.#rows("s.id = ?", id);
    if (exact !== undefined || !/^ses_[\w-]{4,}$/.test(id)) return exact;
    const [first, second] = this.#rows("s.id >= ? AND s.id < ? || '~' LIMIT 2", id, id);
    if (second === undefined) return first;
    throw new ReinsError("invalid_input", `Several sessions begin with ${id}.`, { help: "Give more of the id." });
  }

  #find(where: string, ...values: (string | number)[]): readonly StoredSession[] {
    return this.#rows(where, ...values).map(storedSession);
  }

  #rows(where: string, ...values: (string | number)[]): SessionRow[] {
    return this.#all(`SELECT ${sessionColumns} WHERE ${where}`, ...values);
  }

  #all<Found>(text: string, ...values: (string | number)[]): Found[] {
    return this.#db.reading(() => this.#db.rows(text, values));
  }
}
