/** Leases: at most one process writes a session. Stores which process, and when it was last seen. */
import type { Lease, LeaseOwner, Leases } from "../core/log/types.ts";
import type { Database } from "./database.ts";
import { lease, type Row } from "./rows.ts";

/** Interval at which a process renews its leases. */
const beatMs = 20_000;

const columns = "session AS session_id, pid, start, place, run, seen_at";

export class LeaseTable implements Leases {
  readonly #db: Database;
  readonly #runs = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  of(sessionId: string): Lease | undefined {
    const row = this.#db.reading(() =>
      this.#db.row<Row>(`SELECT ${columns} FROM leases WHERE session = ?`, [sessionId]),
    );
    return row && lease(row);
  }

  all(): readonly Lease[] {
    return this.#db.reading(() => this.#db.rows<Row>(`SELECT ${columns} FROM leases`)).map(lease);
  }

  take(sessionId: string, { pid, start, place, run }: LeaseOwner, from?: string): boolean {
    const taken = this.#db.reading(() =>
      this.#db.transaction(() => {
        if (from !== undefined) this.#db.run("DELETE FROM leases WHERE session = ? AND run = ?", [sessionId, from]);
        return this.#db.run(
          "INSERT OR IGNORE INTO leases (session, pid, start, place, run, seen_at) VALUES (?, ?, ?, ?, ?, ?)",
          [sessionId, pid, start, place, run, Date.now()],
        );
      }),
    );
    return Number(taken.changes) === 1;
  }

  release(sessionId: string, run: string): void {
    this.#db.reading(() => this.#db.run("DELETE FROM leases WHERE session = ? AND run = ?", [sessionId, run]));
  }

  /** Renews the leases of this run until `gone` is called as often as `beat`. */
  beat(run: string): void {
    this.#runs.set(run, (this.#runs.get(run) ?? 0) + 1);
    this.#timer ??= setInterval(() => this.#beat(), beatMs).unref();
  }

  gone(run: string): void {
    const left = (this.#runs.get(run) ?? 1) - 1;
    if (left > 0) this.#runs.set(run, left);
    else this.#runs.delete(run);
    if (this.#runs.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #beat(): void {
    for (const run of this.#runs.keys()) {
      try {
        this.#db.run("UPDATE leases SET seen_at = ? WHERE run = ?", [Date.now(), run]);
      } catch {
        // The session logs report problems with the store.
      }
    }
  }
}
