/** Opens the log of a session: in the store when there is a usable one, otherwise in memory. */
import { ReinsError } from "../../events/errors.ts";
import type { ReinsEvent } from "../../events/types.ts";
import type { SessionOptions } from "../api.ts";
import type { LeaseOwner, Log, SessionAbout, Store, StoredSession } from "./types.ts";
import { busy, type SessionLeases } from "./leases.ts";
import { eventsToGoOnFrom } from "./repair.ts";
import { keptSession, needsStore } from "../select/resume.ts";
import type { SessionDeps } from "../session/deps.ts";
import { randomId } from "../../process/crypto.ts";

export interface Resumed {
  readonly session: StoredSession;
  readonly recordedEvents: readonly ReinsEvent[];
  readonly fork: boolean;
}

export class LogOpener {
  readonly #store: Store | undefined;
  readonly #memory: Log;
  readonly #leases: SessionLeases | undefined;
  #recovering: Promise<void> | undefined;
  #owner: LeaseOwner | undefined;

  constructor(store: Store | undefined, memory: Log, leases: SessionLeases | undefined) {
    this.#store = store;
    this.#memory = memory;
    this.#leases = leases;
  }

  /** Returns the store after repairing sessions of dead processes. Throws when there is no usable store. */
  async store(): Promise<Store> {
    const store = this.#usable();
    // Repair before every use, because processes may have died since; one repair at a time.
    this.#recovering ??= this.#leases?.recover().finally(() => (this.#recovering = undefined));
    await this.#recovering;
    return store;
  }

  async find(wanted: SessionOptions): Promise<StoredSession | undefined> {
    const { resume } = wanted;
    if (resume === undefined) return undefined;
    // An agent's state can be resumed without a store.
    const unusable = this.#store === undefined || this.#store.trouble !== undefined;
    return unusable && !needsStore(resume) ? undefined : keptSession(this.#usable(), wanted);
  }

  async ownerPid(id: string): Promise<number | undefined> {
    const lease = this.#store?.leases.of(id);
    return lease !== undefined && (await this.#leases!.isAlive(lease)) ? lease.pid : undefined;
  }

  async refuseBusy(id: string): Promise<void> {
    const pid = await this.ownerPid(id);
    if (pid !== undefined) throw busy(id, pid);
  }

  async take(session: StoredSession, fork: boolean): Promise<Resumed> {
    const store = this.#store!;
    const own = await this.#leases!.take(fork ? store.sessions.fork(session.id, newSessionId()) : session);
    return { session: own, recordedEvents: eventsToGoOnFrom(store.sessions, own), fork: own.copied === true };
  }

  giveBack({ session }: Resumed): void {
    this.#leases!.release(session.id);
  }

  async ready(): Promise<void> {
    if (this.#store !== undefined) this.#owner ??= await this.#leases!.owner();
  }

  open(id: string, about: Omit<SessionAbout, "owner">): Pick<SessionDeps, "log" | "put" | "startNotices"> {
    const [store, owner] = [this.#store, this.#owner];
    const inMemory = { put: undefined, startNotices: [] };
    if (store === undefined || owner === undefined) return { ...inMemory, log: this.#memory.open(id) };
    const { trouble } = store;
    if (trouble !== undefined)
      return { ...inMemory, log: this.#memory.open(id), startNotices: [{ code: "store", message: trouble }] };
    const warning = store.takeWarning();
    return {
      log: store.open(id, { ...about, owner }),
      put: (content) => store.blobs.put(content),
      startNotices: warning === undefined ? [] : [{ code: "store", message: warning }],
    };
  }

  #usable(): Store {
    const store = this.#store;
    if (store === undefined) {
      throw new ReinsError("unsupported", "This Reins has no store.", {
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
