/** The sessions that this server holds, and summaries of all sessions. A prompt resumes a stored session. */
import type { Reins, SessionOptions } from "../../core/api.ts";
import type { Store, StoredSession } from "../../core/log/types.ts";
import type { ReinsError } from "../../events/errors.ts";
import { HttpError, stops } from "../http-error.ts";
import type { SessionSummary } from "../schemas/sessions.ts";
import type { Feed } from "../transport/event-feed.ts";
import { Feeds } from "../transport/feeds.ts";
import { HeldSession } from "./held-session.ts";
import { watchOtherProcesses } from "./other-processes.ts";

export interface OpenSessionsOptions {
  readonly reins: Reins;
  readonly store: Store | undefined;
  readonly most: number;
  readonly onEvents: (count: number) => void;
  readonly onError: (thrown: unknown) => void;
  readonly onClosed: (id: string) => void;
}

export class HeldSessions {
  readonly #options: OpenSessionsOptions;
  readonly #open = new Map<string, HeldSession>();
  /** Number of connected readers that may answer, by session; also for sessions that are not open. */
  readonly #people = new Map<string, number>();
  readonly #taking = new Map<string, Promise<HeldSession>>();
  readonly #feeds: Feeds;
  readonly #updates: SessionListUpdates;
  #opening = 0;
  #stopped = false;

  constructor(options: OpenSessionsOptions) {
    this.#options = options;
    const { reins, store, onError } = options;
    const isHeld = (id: string): boolean => this.#open.has(id);
    this.#feeds = new Feeds({ reins, store, isHeld, onError });
    this.#updates = new SessionListUpdates(() =>
      store === undefined
        ? () => undefined
        : watchOtherProcesses({
            store,
            isHeld,
            onError,
            onChange: (stored) => this.#updates.tell({ session: this.summary(stored) }),
          }),
    );
  }

  get all(): readonly HeldSession[] {
    return [...this.#open.values()];
  }

  get(id: string): HeldSession | undefined {
    return this.#open.get(id);
  }

  /**
   * Users answer through the API, so permission requests wait, but only until their deadline while nobody is connected. With `attended:
   * false` they do not wait.
   */
  async create(options: SessionOptions): Promise<HeldSession> {
    if (this.#stopped) throw stops();
    this.#opening++;
    try {
      await this.#makeRoom();
      const session = await this.#options.reins.session({ attended: true, ...options });
      return this.#open.get(session.id) ?? this.#hold(new HeldSession(session, options));
    } finally {
      this.#opening--;
    }
  }

  async resume(id: string, widest: Pick<SessionOptions, "widestMode"> = {}): Promise<HeldSession> {
    const there = this.#open.get(id);
    if (there !== undefined && !there.closing) return there;
    await there?.close();
    let taking = this.#taking.get(id);
    if (taking === undefined) {
      taking = this.create({ resume: id, ...widest }).finally(() => this.#taking.delete(id));
      this.#taking.set(id, taking);
    }
    return taking;
  }

  async close(id: string): Promise<void> {
    await this.#open.get(id)?.close();
  }

  /** Waits for the sessions that are being closed. */
  async settled(): Promise<void> {
    await Promise.all(this.all.filter(({ closing }) => closing).map(({ over }) => over));
  }

  /** Readers get the last events before this resolves. */
  async closeAll(): Promise<void> {
    this.#stopped = true;
    await Promise.allSettled(this.all.map((open) => open.close()));
    this.#feeds.close();
  }

  /** Finds a session by its id or the beginning of its id. */
  async named(name: string): Promise<SessionSummary> {
    const open = this.#open.get(name);
    try {
      const { sessions } = this.#options.reins;
      const kept = await sessions.get(name);
      // Show a session that is being closed as it will be afterwards.
      const closing = this.#open.get(kept.id);
      if (closing?.closing !== true) return this.summary(kept);
      await closing.over;
      return this.summary(await sessions.get(kept.id));
    } catch (thrown) {
      if (open === undefined) throw thrown;
      return openSummary(open);
    }
  }

  /** Abandoned turns are ended before sessions are listed, so a turn that is still open runs, here or in another process. */
  summary(stored: StoredSession): SessionSummary {
    const open = this.#open.get(stored.id);
    if (open === undefined) return { ...stored, open: false, running: stored.openTurn !== undefined, waiting: [] };
    const { running, waiting, lastSeq, session } = open;
    const newest = Math.max(lastSeq, stored.lastSeq);
    return { ...stored, agent: session.agent, lastSeq: newest, open: true, running, waiting };
  }

  onChange(listener: (change: SessionListUpdate) => void): () => void {
    return this.#updates.on(listener);
  }

  changed(id: string): void {
    if (!this.#updates.wanted) return;
    this.named(id)
      .then((session) => this.#updates.tell({ session }))
      .catch(this.#options.onError);
  }

  removed({ id, cwd }: Pick<StoredSession, "id" | "cwd">): void {
    this.#feeds.remove(id);
    this.#updates.tell({ removed: id, cwd });
  }

  /** Call `leave` when done. While a reader that may answer is connected, requests of the session have no deadline. */
  read({ id, lastSeq }: SessionSummary, answers: boolean): { readonly feed: Feed; readonly leave: () => void } {
    const { feed, leave } = this.#feeds.read(id, lastSeq);
    if (answers) this.#arrived(id, 1);
    let left = !answers;
    return {
      feed,
      leave: () => {
        if (!left) this.#arrived(id, -1);
        left = true;
        leave();
      },
    };
  }

  #arrived(id: string, more: 1 | -1): void {
    const there = (this.#people.get(id) ?? 0) + more;
    if (there > 0) this.#people.set(id, there);
    else this.#people.delete(id);
    this.#open.get(id)?.session.setPresence?.(there > 0);
  }

  #hold(open: HeldSession): HeldSession {
    const { id, resumedAt } = open.session;
    const { onEvents, onError, onClosed } = this.#options;
    this.#open.set(id, open);
    open.session.setPresence?.(this.#people.has(id));
    this.#feeds.hold(id, resumedAt);
    const onNews = (): void => this.changed(id);
    open.over = open
      .follow((batch) => {
        this.#feeds.push(id, batch);
        onEvents(batch.events.length);
      }, onNews)
      .catch(onError)
      .finally(() => {
        this.#open.delete(id);
        this.#feeds.release(id);
        onClosed(id);
        onNews();
      });
    onNews();
    return open;
  }

  /** Closes the session that was idle longest; throws if all are busy. */
  async #makeRoom(): Promise<void> {
    const { most } = this.#options;
    const held = this.all.filter((open) => !open.closing);
    if (held.length + this.#opening <= most) return;
    const [oldest] = held.filter((open) => open.rests).toSorted((one, other) => one.usedAt - other.usedAt);
    if (oldest === undefined)
      throw new HttpError(429, "rate_limited", `There are ${most} open sessions, and all of them are busy.`, {
        help: "Cancel or close one first.",
      });
    await oldest.close();
  }
}

/** For a session that the token may not see: the same message as for one that does not exist. */
export function unknownSession(name: string): ReinsError {
  return new HttpError(404, "session_not_found", `There is no session ${name}.`, {
    help: "`reins sessions` lists the stored sessions.",
  });
}

/** The summary of a session without a turn, which is not stored yet. */
function openSummary({ session, title, lastSeq, running, waiting, openedAt }: HeldSession): SessionSummary {
  const { id, cwd, agent, state } = session;
  const at = { createdAt: openedAt, updatedAt: openedAt };
  return { id, cwd, title, agent, state, ...at, lastSeq, turns: 0, open: true, running, waiting };
}

export type SessionListUpdate =
  | { readonly session: SessionSummary }
  | { readonly removed: string; readonly cwd: string };

class SessionListUpdates {
  readonly #listeners = new Set<(change: SessionListUpdate) => void>();
  readonly #onFirst: () => () => void;
  #stop: (() => void) | undefined;

  /** `onFirst` is called for the first listener; the function it returns is called after the last one left. */
  constructor(onFirst: () => () => void) {
    this.#onFirst = onFirst;
  }

  get wanted(): boolean {
    return this.#listeners.size > 0;
  }

  on(listener: (change: SessionListUpdate) => void): () => void {
    this.#listeners.add(listener);
    this.#stop ??= this.#onFirst();
    return () => {
      this.#listeners.delete(listener);
      if (this.wanted) return;
      this.#stop?.();
      this.#stop = undefined;
    };
  }

  tell(change: SessionListUpdate): void {
    for (const listener of this.#listeners) listener(change);
  }
}
