/** The sessions that this server holds, and what is known of all of them. Kept ones are taken up when they are prompted. */
import type { Reins, SessionOptions } from "../core/api.ts";
import type { Store, StoredSession } from "../core/log.ts";
import type { ReinsError } from "../events/errors.ts";
import { Changes } from "./changes.ts";
import type { Change } from "./changes.ts";
import type { Feed } from "./feed.ts";
import { Feeds } from "./feeds.ts";
import { HttpError, stops } from "./http-error.ts";
import { OpenSession } from "./open-session.ts";
import { watchOthers } from "./others.ts";
import type { SessionSummary } from "./schemas/sessions.ts";
import { keptSummary, openSummary } from "./summary.ts";

export interface OpenSessionsOptions {
  readonly reins: Reins;
  readonly store: Store | undefined;
  /** Held at once. */
  readonly most: number;
  readonly onEvent: () => void;
  readonly onError: (thrown: unknown) => void;
  readonly onClosed: (id: string) => void;
}

export class OpenSessions {
  readonly #options: OpenSessionsOptions;
  readonly #open = new Map<string, OpenSession>();
  readonly #taking = new Map<string, Promise<OpenSession>>();
  readonly #feeds: Feeds;
  readonly #changes: Changes;
  #opening = 0;
  #stopped = false;

  constructor(options: OpenSessionsOptions) {
    this.#options = options;
    const { reins, store, onError } = options;
    const isHeld = (id: string): boolean => this.#open.has(id);
    this.#feeds = new Feeds({ reins, store, isHeld, onError });
    this.#changes = new Changes(() =>
      store === undefined
        ? () => undefined
        : watchOthers({ store, isHeld, onError, onChange: (stored) => this.#tell(stored) }),
    );
  }

  get all(): readonly OpenSession[] {
    return [...this.#open.values()];
  }

  get(id: string): OpenSession | undefined {
    return this.#open.get(id);
  }

  /** A person answers through the API, unless it is said that nobody does: nothing is denied before its deadline. */
  async create(options: SessionOptions): Promise<OpenSession> {
    if (this.#stopped) throw stops();
    this.#opening++;
    try {
      await this.#makeRoom();
      const session = await this.#options.reins.session({ attended: true, ...options });
      return this.#open.get(session.id) ?? this.#hold(new OpenSession(session, options));
    } finally {
      this.#opening--;
    }
  }

  /** The one that is held, else the kept one taken up again. */
  async take(id: string, widest: Pick<SessionOptions, "widestMode"> = {}): Promise<OpenSession> {
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

  /** Until those that are being closed are. */
  async settled(): Promise<void> {
    await Promise.all(this.all.filter(({ closing }) => closing).map(({ over }) => over));
  }

  /** Who reads them has all of it, their last events too. */
  async closeAll(): Promise<void> {
    this.#stopped = true;
    await Promise.allSettled(this.all.map((open) => open.close()));
    this.#feeds.close();
  }

  /** Whole ids only from here on: a name may be the beginning of one. */
  async named(name: string): Promise<SessionSummary> {
    const open = this.#open.get(name);
    try {
      const { sessions } = this.#options.reins;
      const kept = await sessions.get(name);
      // What is said of one that is being closed is said when it is.
      const closing = this.#open.get(kept.id);
      if (closing?.closing !== true) return this.summary(kept);
      await closing.over;
      return this.summary(await sessions.get(kept.id));
    } catch (thrown) {
      if (open === undefined) throw thrown;
      return openSummary(open);
    }
  }

  summary(stored: StoredSession): SessionSummary {
    return keptSummary(stored, this.#open.get(stored.id));
  }

  onChange(listener: (change: Change) => void): () => void {
    return this.#changes.on(listener);
  }

  changed(id: string): void {
    if (!this.#changes.wanted) return;
    this.named(id)
      .then((session) => this.#changes.tell({ session }))
      .catch(this.#options.onError);
  }

  removed({ id, cwd }: Pick<StoredSession, "id" | "cwd">): void {
    this.#feeds.remove(id);
    this.#changes.tell({ removed: id, cwd });
  }

  /** Whoever reads says so, and leaves by calling what is given back. */
  read({ id, lastSeq }: SessionSummary): { readonly feed: Feed; readonly leave: () => void } {
    return this.#feeds.read(id, lastSeq);
  }

  #hold(open: OpenSession): OpenSession {
    const { id, resumedAt } = open.session;
    const { onEvent, onError, onClosed } = this.#options;
    this.#open.set(id, open);
    this.#feeds.hold(id, resumedAt);
    const onNews = (): void => this.changed(id);
    open.over = open
      .follow((event) => {
        this.#feeds.push(event);
        onEvent();
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

  /** The one that rested longest gives way; where all are at work nobody does. */
  async #makeRoom(): Promise<void> {
    const { most } = this.#options;
    const held = this.all.filter((open) => !open.closing);
    if (held.length + this.#opening <= most) return;
    const [oldest] = held.filter((open) => open.rests).toSorted((one, other) => one.usedAt - other.usedAt);
    if (oldest === undefined)
      throw new HttpError(429, "rate_limited", `There are ${most} open sessions, and all of them are at work.`, {
        help: "Cancel or close one first.",
      });
    await oldest.close();
  }

  #tell(stored: StoredSession): void {
    this.#changes.tell({ session: this.summary(stored) });
  }
}

/** It is none that this token may see: in the very words of what is said where there is none. */
export function unknownSession(name: string): ReinsError {
  return new HttpError(404, "session_not_found", `There is no session ${name}.`, {
    help: "`reins sessions` lists those that are kept.",
  });
}
