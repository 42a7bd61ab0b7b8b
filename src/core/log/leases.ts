/**
 * Makes sure that one process writes a session: takes the lease, refuses while another process holds it, and takes
 * over from a dead process after repairing its open turn.
 */
import { ReinsError } from "../../events/errors.ts";
import type { Redactor } from "../../events/redact.ts";
import { processTable, type ProcessTable } from "../../process/table/table.ts";
import type { Lease, LeaseOwner, Store, StoredSession } from "./types.ts";
import { eventsToGoOnFrom, repair } from "./repair.ts";

/** A process on another machine or from before a reboot cannot be inspected. It counts as dead when it was not seen for this long. */
const unseenMs = 90_000;

export interface SessionLeasesOptions {
  readonly store: Store;
  readonly run: string;
  readonly redact: () => Redactor;
  readonly reap: () => Promise<void>;
  readonly table?: ProcessTable | undefined;
}

export class SessionLeases {
  readonly #o: SessionLeasesOptions;
  readonly #table: ProcessTable;
  #owner: Promise<LeaseOwner> | undefined;

  constructor(options: SessionLeasesOptions) {
    this.#o = options;
    this.#table = options.table ?? processTable();
  }

  owner(): Promise<LeaseOwner> {
    return (this.#owner ??= this.#table.startOf(process.pid).then((start) => ({
      pid: process.pid,
      start,
      place: this.#table.host(),
      run: this.#o.run,
    })));
  }

  /** Takes the lease and repairs the log. Throws `session_busy` when another process writes the session. */
  async take(session: StoredSession): Promise<StoredSession> {
    const { leases, sessions } = this.#o.store;
    const owner = await this.owner();
    const lease = leases.of(session.id);
    if (lease !== undefined && (await this.isAlive(lease))) throw busy(session.id, lease.pid);
    if (!leases.take(session.id, owner, lease?.run)) {
      const faster = leases.of(session.id);
      throw busy(session.id, (faster ?? owner).pid);
    }
    try {
      if (lease !== undefined) await this.#o.reap();
      const found = sessions.get(session.id) ?? missing(session.id);
      this.#repair(found);
      return sessions.get(session.id) ?? missing(session.id);
    } catch (thrown) {
      this.release(session.id);
      throw thrown;
    }
  }

  release(sessionId: string): void {
    this.#o.store.leases.release(sessionId, this.#o.run);
  }

  /**
   * Repairs the sessions of dead processes, so that lists are correct. Skips sessions that another Reins is repairing
   * or that cannot be repaired now.
   */
  async recover(): Promise<void> {
    const { leases, sessions } = this.#o.store;
    for (const lease of leases.all()) {
      if (lease.run === this.#o.run || (await this.isAlive(lease))) continue;
      const session = sessions.get(lease.sessionId);
      if (session !== undefined) await this.#recoverOne(session);
      else quietly(() => leases.release(lease.sessionId, lease.run));
    }
    for (const session of sessions.abandoned()) await this.#recoverOne(session);
  }

  async #recoverOne(session: StoredSession): Promise<void> {
    try {
      if ((await this.take(session)).turns === 0) this.#o.store.sessions.remove(session.id);
      this.release(session.id);
    } catch {
      // A full or read-only disk must not prevent reading the sessions.
    }
  }

  async isAlive({ pid, start, place, seenAt }: Lease): Promise<boolean> {
    if (place !== this.#table.host()) return Math.abs(Date.now() - seenAt) < unseenMs;
    if (start !== undefined) return (await this.#table.startOf(pid)) === start;
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  }

  #repair(session: StoredSession): void {
    const { store, redact } = this.#o;
    const missing = repair(eventsToGoOnFrom(store.sessions, session), redact());
    if (missing.length > 0) store.sessions.append(session.id, missing);
  }
}

function missing(id: string): never {
  throw new ReinsError("session_not_found", `Session ${id} was removed by another process.`);
}

export function busy(id: string, pid: number): ReinsError {
  const who = pid === process.pid ? "this process" : `process ${pid}`;
  return new ReinsError("session_busy", `Session ${id} is in use by ${who}.`, {
    help: "Wait until it is closed there, or continue in a copy: `reins fork`.",
  });
}

function quietly(work: () => void): void {
  try {
    work();
  } catch {
    return;
  }
}
