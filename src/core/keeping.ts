/** Where the events of sessions go: into the store where there is one that can be used, else into memory. */
import { ReinsError } from "../events/errors.ts";
import type { ReinsEvent } from "../events/types.ts";
import type { SessionOptions } from "./api.ts";
import type { LeaseOwner, Log, SessionAbout, SessionLog, Store, StoredSession } from "./log.ts";
import type { Put } from "./record/keep.ts";
import { busy } from "./ownership.ts";
import type { Ownership } from "./ownership.ts";
import { eventsToGoOnFrom } from "./repair.ts";
import { keptSession, needsStore } from "./resuming.ts";
import type { Remark } from "./session-context.ts";
import { randomId } from "../process/crypto.ts";

/** A kept session that is ours to go on with. */
export interface Resumed {
  readonly session: StoredSession;
  /** What was recorded so far, as far as it matters. */
  readonly earlier: readonly ReinsEvent[];
  /** Its agent is to go on in a copy of the conversation. */
  readonly fork: boolean;
}

export interface OpenedLog {
  readonly log: SessionLog;
  readonly put: Put | undefined;
  readonly toSay: readonly Remark[];
}

export class Keeping {
  readonly #store: Store | undefined;
  readonly #memory: Log;
  readonly #ownership: Ownership | undefined;
  #recovering: Promise<void> | undefined;
  #owner: LeaseOwner | undefined;

  constructor(store: Store | undefined, memory: Log, ownership: Ownership | undefined) {
    this.#store = store;
    this.#memory = memory;
    this.#ownership = ownership;
  }

  /** The store, with what dead processes left in it repaired. Throws where there is none that can be used. */
  async store(): Promise<Store> {
    const store = this.#usable();
    // Each time: what died since the last one is found by the next. At once only one.
    this.#recovering ??= this.#ownership?.recover().finally(() => (this.#recovering = undefined));
    await this.#recovering;
    return store;
  }

  /** The kept session that is meant by `resume`. */
  async find(wanted: SessionOptions): Promise<StoredSession | undefined> {
    const { resume } = wanted;
    if (resume === undefined) return undefined;
    // A state is known to its agent, whatever is kept here.
    const unusable = this.#store === undefined || this.#store.trouble !== undefined;
    return unusable && !needsStore(resume) ? undefined : keptSession(this.#usable(), wanted);
  }

  /** The process that works with a session now. */
  async holder(id: string): Promise<number | undefined> {
    const lease = this.#store?.leases.of(id);
    return lease !== undefined && (await this.#ownership!.isAlive(lease)) ? lease.pid : undefined;
  }

  async refuseBusy(id: string): Promise<void> {
    const pid = await this.holder(id);
    if (pid !== undefined) throw busy(id, pid);
  }

  /** Makes a session ours, or a copy of it. */
  async take(session: StoredSession, fork: boolean): Promise<Resumed> {
    const store = this.#store!;
    const own = await this.#ownership!.take(fork ? store.sessions.fork(session.id, newSessionId()) : session);
    return { session: own, earlier: eventsToGoOnFrom(store.sessions, own), fork: own.copied === true };
  }

  /** Nothing came of it. */
  giveBack({ session }: Resumed): void {
    this.#ownership!.release(session.id);
  }

  /** What has to be known before a log is opened. */
  async ready(): Promise<void> {
    if (this.#store !== undefined) this.#owner ??= await this.#ownership!.owner();
  }

  open(id: string, about: Omit<SessionAbout, "owner">): OpenedLog {
    const [store, owner] = [this.#store, this.#owner];
    const inMemory = { put: undefined, toSay: [] };
    if (store === undefined || owner === undefined) return { ...inMemory, log: this.#memory.open(id) };
    const { trouble } = store;
    if (trouble !== undefined)
      return { ...inMemory, log: this.#memory.open(id), toSay: [{ code: "store", message: trouble }] };
    const warning = store.takeWarning();
    return {
      log: store.open(id, { ...about, owner }),
      put: (content) => store.blobs.put(content),
      toSay: warning === undefined ? [] : [{ code: "store", message: warning }],
    };
  }

  #usable(): Store {
    const store = this.#store;
    if (store === undefined) {
      throw new ReinsError("unsupported", "This Reins keeps no sessions.", {
        help: "Give it a store: `createReins({ store: openStore() })`.",
      });
    }
    if (store.trouble !== undefined) throw new ReinsError("unsupported", store.trouble);
    return store;
  }
}

export function newSessionId(): string {
  return `ses_${randomId()}`;
}
