/** One writer a session: who it is, and when it was last seen. */
import type { Lease, LeaseOwner, Leases } from "../core/log/types.ts";
import type { Database } from "./database.ts";

/** How often a process says that it still has its sessions. */
const beatMs = 20_000;

interface Row {
  session: string;
  pid: number;
  start: string | null;
  place: string;
  run: string;
  seen_at: number;
}

export class LeaseTable implements Leases {
  readonly #db: Database;
  readonly #runs = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  of(sessionId: string): Lease | undefined {
    const row = this.#db.reading(() => this.#db.sql("SELECT * FROM leases WHERE session = ?").get(sessionId));
    return row === undefined ? undefined : lease(row as unknown as Row);
  }

  all(): readonly Lease[] {
    const rows = this.#db.reading(() => this.#db.sql("SELECT * FROM leases").all());
    return (rows as unknown as Row[]).map(lease);
  }

  take(sessionId: string, { pid, start, place, run }: LeaseOwner, from?: string): boolean {
    const taken = this.#db.reading(() =>
      this.#db.transaction(() => {
        if (from !== undefined) this.#db.sql("DELETE FROM leases WHERE session = ? AND run = ?").run(sessionId, from);
        return this.#db
          .sql("INSERT OR IGNORE INTO leases (session, pid, start, place, run, seen_at) VALUES (?, ?, ?, ?, ?, ?)")
          .run(sessionId, pid, start ?? null, place, run, Date.now());
      }),
    );
    return Number(taken.changes) === 1;
  }

  release(sessionId: string, run: string): void {
    this.#db.reading(() => this.#db.sql("DELETE FROM leases WHERE session = ? AND run = ?").run(sessionId, run));
  }

  /** From here on this run is seen, until `gone`. */
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
        this.#db.sql("UPDATE leases SET seen_at = ? WHERE run = ?").run(Date.now(), run);
      } catch {
        // The store is in trouble, which its logs tell.
      }
    }
  }
}

function lease({ session, pid, start, place, run, seen_at }: Row): Lease {
  return { sessionId: session, pid, start: start ?? undefined, place, run, seenAt: seen_at };
}
