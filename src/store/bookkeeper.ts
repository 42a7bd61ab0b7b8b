/** Derives table rows from the events of one session: the session itself, its legs, its turns, and the search index. */
import { clipText } from "../events/clip.ts";
import { ReinsError } from "../events/errors.ts";
import { oneLine } from "../events/printable.ts";
import type { EventOf, ReinsEvent, Tokens } from "../events/types.ts";
import type { LeaseOwner, SessionAbout } from "../core/log/types.ts";
import type { Database } from "./database.ts";
import { indexRest, indexTexts, searchText, type Text } from "./index-text.ts";
import { count } from "./usage-records.ts";

const promptBytes = 500;
const titleBytes = 120;
/** Maximum text that waits for the index during a turn. FTS5 works best with few, large writes. */
const mostText = 1024 * 1024;

export interface NumberedSession {
  readonly number: number;
  leg: number;
}

export interface Booked extends Omit<SessionAbout, "owner"> {
  readonly owner?: LeaseOwner | undefined;
  /** False for imported sessions, whose usage was not caused here. */
  readonly counts?: boolean | undefined;
}

export class Bookkeeper {
  readonly #db: Database;
  readonly #id: string;
  readonly #about: Booked;
  #session: NumberedSession | undefined;
  #turnSeq: number | undefined;
  #model = "";
  #reading: EventOf<"usage.updated"> | undefined;
  /** Texts that are not in the search index yet. When `#behind` is true, older texts are missing from the index too. */
  #texts: Text[] = [];
  #textLength = 0;
  #behind = false;

  constructor(db: Database, id: string, about: Booked) {
    this.#db = db;
    this.#id = id;
    this.#about = about;
  }

  /** Call inside a transaction. */
  write(events: readonly ReinsEvent[], lines: readonly string[]): void {
    const session = (this.#session ??= this.#begin(events[0]!));
    this.#refuseTaken();
    const insert = this.#db.sql("INSERT INTO events (session, seq, type, line) VALUES (?, ?, ?, ?)");
    for (let index = 0; index < events.length; index++) {
      const event = events[index]!;
      insert.run(session.number, event.seq, event.type, lines[index]!);
      if (event.type !== "message.delta" && event.type !== "thought.delta") this.#note(event, session);
    }
    const last = events.at(-1)!;
    this.#db.run("UPDATE sessions SET last_seq = ?, updated_at = max(updated_at, ?) WHERE number = ?", [
      last.seq,
      Date.parse(last.time),
      session.number,
    ]);
    if (last.type === "turn.completed" || this.#textLength > mostText) this.index(last.seq);
  }

  /** Makes the events up to `upTo` searchable. Call inside a transaction. */
  index(upTo: number): void {
    const { number } = this.#session!;
    if (this.#behind) indexRest(this.#db, number);
    else indexTexts(this.#db, number, this.#texts, upTo);
    this.#behind = false;
    this.#texts = [];
    this.#textLength = 0;
  }

  /** The transaction was rolled back: rows that were read in it may not exist. */
  forget(): void {
    this.#session = undefined;
    this.#behind = true;
    this.#texts = [];
    this.#textLength = 0;
  }

  #begin(first: ReinsEvent): NumberedSession {
    const { cwd, mode, model, agentFile, forbidden, owner } = this.#about;
    const time = Date.parse(first.time);
    this.#db.run(
      `INSERT INTO sessions (id, cwd, mode, model, agent_file, forbidden, created_at, updated_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET mode = excluded.mode, model = coalesce(excluded.model, model),
         agent_file = excluded.agent_file, forbidden = excluded.forbidden`,
      [this.#id, cwd, mode, model, agentFile, forbidden && JSON.stringify(forbidden), time, time],
    );
    if (owner !== undefined) {
      this.#db.run(
        `INSERT INTO leases (session, pid, start, place, run, seen_at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (session) DO NOTHING`,
        [this.#id, owner.pid, owner.start, owner.place, owner.run, Date.now()],
      );
    }
    const { behind, ...session } = this.#db.row<NumberedSession & { behind: 0 | 1 }>(
      "SELECT number, leg, indexed_seq < last_seq AS behind FROM sessions WHERE id = ?",
      [this.#id],
    )!;
    this.#behind ||= behind === 1;
    const open = this.#db.row<{ seq: number }>(
      "SELECT first_seq AS seq FROM turns WHERE session = ? AND outcome IS NULL ORDER BY first_seq DESC LIMIT 1",
      [session.number],
    );
    this.#turnSeq = open?.seq;
    return session;
  }

  /**
   * A process that was not seen for a long time, on another machine or in a container, may have been considered dead
   * and lost its lease.
   */
  #refuseTaken(): void {
    const { owner } = this.#about;
    if (owner === undefined) return;
    const lease = this.#db.row<{ run: string }>("SELECT run FROM leases WHERE session = ?", [this.#id]);
    if (lease?.run === owner.run) return;
    const what = lease === undefined ? "was removed by another process" : "was taken over by another process";
    throw new ReinsError("session_busy", `Session ${this.#id} ${what}. New events are not stored.`);
  }

  #note(event: ReinsEvent, session: NumberedSession): void {
    switch (event.type) {
      case "session.started":
        this.#legBegan(event, session);
        break;
      case "session.updated":
        this.#updated(event, session);
        break;
      case "turn.started":
        this.#turnBegan(event, session);
        break;
      case "turn.completed":
        this.#turnEnded(event, session);
        break;
      case "usage.updated":
        if (event.scope === "turn" && event.parent === undefined) this.#reading = event;
        break;
      case "limit.updated":
        this.#limit(event);
        break;
      case "tool.completed":
        if (event.output.ref !== undefined) this.#uses(event.output.ref, session);
        for (const block of event.output.content ?? []) if (block.type === "image") this.#uses(block.ref, session);
        break;
      case "agent.switched":
        this.#uses(event.briefing, session);
        break;
      case "message.completed":
        this.#uses(event.ref, session);
        for (const block of event.content ?? []) if (block.type === "image") this.#uses(block.ref, session);
        break;
      default:
    }
    const text = searchText(event);
    if (text === undefined) return;
    this.#texts.push({ seq: event.seq, text });
    this.#textLength += text.length;
  }

  #legBegan(event: EventOf<"session.started">, session: NumberedSession): void {
    session.leg++;
    this.#model = event.model ?? "";
    this.#db.run(
      `INSERT INTO legs (session, number, agent, agent_version, state, model, mode, first_seq)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      [session.number, session.leg, event.agent, event.agentVersion, event.state, event.model, event.mode, event.seq],
    );
    this.#db.run("UPDATE sessions SET leg = ?, copied = 0 WHERE number = ?", [session.leg, session.number]);
  }

  #updated({ title, model, mode, state, by }: EventOf<"session.updated">, session: NumberedSession): void {
    if (model !== undefined) this.#model = model;
    if (model !== undefined || mode !== undefined || state !== undefined) {
      this.#db.run(
        `UPDATE legs SET model = coalesce(?, model), mode = coalesce(?, mode), state = coalesce(?, state)
           WHERE session = ? AND number = ?`,
        [model, mode, state, session.number, session.leg],
      );
    }
    if (by === "person" && (model !== undefined || mode !== undefined)) {
      this.#db.run("UPDATE sessions SET model = coalesce(?, model), mode = coalesce(?, mode) WHERE number = ?", [
        model,
        mode,
        session.number,
      ]);
    }
    if (title !== undefined && title.trim() !== "") this.#title(title, by === "person" ? "person" : "agent", session);
  }

  /** A person's title replaces the agent's, and the agent's replaces the one made from the prompt. */
  #title(title: string, by: "person" | "agent" | "prompt", session: NumberedSession): void {
    const over = { person: ["person", "agent", "prompt"], agent: ["agent", "prompt"], prompt: [] }[by];
    this.#db.run(
      `UPDATE sessions SET title = ?, titled_by = ?
         WHERE number = ? AND (titled_by IS NULL OR titled_by IN (SELECT value FROM json_each(?)))`,
      [clipText(oneLine(title.trim()), titleBytes).text, by, session.number, JSON.stringify(over)],
    );
  }

  #turnBegan(event: EventOf<"turn.started">, session: NumberedSession): void {
    const prompt = event.input && clipText(event.input.text, promptBytes).text;
    this.#turnSeq = event.seq;
    this.#reading = undefined;
    this.#db.run(
      "INSERT INTO turns (session, first_seq, id, origin, prompt, agent, started_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
      [session.number, event.seq, event.turnId ?? "", event.origin, prompt, event.agent, event.time],
    );
    this.#db.run("UPDATE sessions SET turns = turns + 1, open_turn = ? WHERE number = ?", [
      event.turnId,
      session.number,
    ]);
    if (prompt !== undefined && prompt.trim() !== "") this.#title(prompt, "prompt", session);
  }

  #turnEnded(event: EventOf<"turn.completed">, session: NumberedSession): void {
    const usage: Tokens | undefined = event.usage ?? this.#reading?.tokens;
    const costUsd = event.costUsd ?? this.#reading?.costUsd;
    this.#db.run(
      `UPDATE turns SET ended_at = ?, outcome = ?, last_seq = ?, usage = ?, cost_usd = ?
         WHERE session = ? AND first_seq = ?`,
      [
        event.time,
        event.outcome,
        event.seq,
        usage && JSON.stringify(usage),
        costUsd,
        session.number,
        this.#turnSeq ?? 0,
      ],
    );
    this.#db.run(
      `UPDATE sessions SET open_turn = NULL, outcome = ?,
         cost_usd = CASE WHEN ? IS NULL THEN cost_usd ELSE coalesce(cost_usd, 0) + ? END WHERE number = ?`,
      [event.outcome, costUsd, costUsd, session.number],
    );
    if (event.state !== undefined)
      this.#db.run("UPDATE legs SET state = ? WHERE session = ? AND number = ?", [
        event.state,
        session.number,
        session.leg,
      ]);
    if (this.#about.counts !== false)
      count(this.#db, { event, model: this.#modelName(session), usage, byModel: this.#reading?.byModel, costUsd });
    this.#reading = undefined;
  }

  #modelName(session: NumberedSession): string {
    if (this.#model !== "") return this.#model;
    const text = "SELECT model FROM legs WHERE session = ? AND number = ?";
    const row = this.#db.row<{ model: string | null }>(text, [session.number, session.leg]);
    return (this.#model = row?.model ?? "");
  }

  #limit(event: EventOf<"limit.updated">): void {
    this.#db.run(
      `INSERT INTO limits (agent, window, status, used_percent, resets_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (agent, window) DO UPDATE SET status = excluded.status, used_percent = excluded.used_percent,
         resets_at = excluded.resets_at, updated_at = excluded.updated_at`,
      [event.agent, event.window, event.status, event.usedPercent, event.resetsAt, event.time],
    );
  }

  #uses(ref: string | undefined, session: NumberedSession): void {
    if (ref !== undefined)
      this.#db.run("INSERT OR IGNORE INTO blob_uses (session, hash) VALUES (?, ?)", [session.number, ref]);
  }
}
