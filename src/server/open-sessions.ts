/** The sessions that this server holds, and the feeds of all that somebody reads. Kept ones are taken up when they are prompted. */
import type { Reins, SessionOptions } from "../core/api.ts";
import type { Store, StoredSession } from "../core/log.ts";
import type { ReinsError } from "../events/errors.ts";
import { Feed } from "./feed.ts";
import { HttpError } from "./http-error.ts";
import { OpenSession } from "./open-session.ts";
import type { SessionSummary } from "./schemas/sessions.ts";

/** How often the log of a session is looked at that somebody else writes. */
const lookMs = 300;

export type Change = { readonly session: SessionSummary } | { readonly removed: string };

interface Reading {
  readonly feed: Feed;
  readers: number;
  timer: NodeJS.Timeout | undefined;
}

export interface OpenSessionsOptions {
  readonly reins: Reins;
  readonly store: Store | undefined;
  readonly onEvent: () => void;
  readonly onError: (thrown: unknown) => void;
}

export class OpenSessions {
  readonly #options: OpenSessionsOptions;
  readonly #open = new Map<string, OpenSession>();
  readonly #opening = new Map<string, Promise<OpenSession>>();
  readonly #reading = new Map<string, Reading>();
  readonly #listeners = new Set<(change: Change) => void>();

  constructor(options: OpenSessionsOptions) {
    this.#options = options;
  }

  get all(): readonly OpenSession[] {
    return [...this.#open.values()];
  }

  get(id: string): OpenSession | undefined {
    return this.#open.get(id);
  }

  /** A person answers through the API: nothing is denied before its deadline. */
  async create(options: SessionOptions): Promise<OpenSession> {
    const session = await this.#options.reins.session({ ...options, attended: true });
    const there = this.#open.get(session.id);
    if (there !== undefined) return there;
    return this.#hold(new OpenSession(session));
  }

  /** The one that is held, else the kept one taken up again. */
  async take(id: string): Promise<OpenSession> {
    const there = this.#open.get(id);
    if (there !== undefined) return there;
    let opening = this.#opening.get(id);
    if (opening === undefined) {
      opening = this.create({ resume: id }).finally(() => this.#opening.delete(id));
      this.#opening.set(id, opening);
    }
    return opening;
  }

  async close(id: string): Promise<void> {
    await this.#open.get(id)?.session.close();
  }

  async closeAll(): Promise<void> {
    for (const { timer } of this.#reading.values()) clearInterval(timer);
    await Promise.allSettled(this.all.map(({ session }) => session.close()));
  }

  /** Whole ids only from here on: a name may be the beginning of one. */
  async named(name: string): Promise<SessionSummary> {
    const open = this.#open.get(name);
    try {
      return this.summary(await this.#options.reins.sessions.get(name));
    } catch (thrown) {
      if (open === undefined) throw thrown;
      return fresh(open);
    }
  }

  summary(stored: StoredSession): SessionSummary {
    const open = this.#open.get(stored.id);
    if (open === undefined) return { ...stored, open: false, running: false, waiting: [] };
    const { running, waiting, lastSeq } = open;
    const { agent } = open.session;
    return { ...stored, agent, lastSeq: Math.max(lastSeq, stored.lastSeq), open: true, running, waiting };
  }

  onChange(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  changed(id: string): void {
    if (this.#listeners.size === 0) return;
    this.named(id)
      .then((session) => this.#tell({ session }))
      .catch(this.#options.onError);
  }

  removed(id: string): void {
    this.#tell({ removed: id });
  }

  /** Whoever reads says so, and leaves by calling what is given back. */
  read({ id, lastSeq }: SessionSummary): { feed: Feed; leave: () => void } {
    const reading = this.#readingOf(id, lastSeq);
    if (!this.#open.has(id)) reading.feed.grown(lastSeq);
    reading.readers++;
    reading.timer ??= setInterval(() => this.#look(id, reading.feed), lookMs).unref();
    let left = false;
    const leave = (): void => {
      if (left) return;
      left = true;
      if (--reading.readers > 0) return;
      clearInterval(reading.timer);
      reading.timer = undefined;
      if (!this.#open.has(id)) this.#reading.delete(id);
    };
    return { feed: reading.feed, leave };
  }

  get readers(): number {
    return [...this.#reading.values()].reduce((sum, { readers }) => sum + readers, 0);
  }

  #hold(open: OpenSession): OpenSession {
    const { id, resumedAt } = open.session;
    this.#open.set(id, open);
    const { feed } = this.#readingOf(id, resumedAt);
    feed.grown(resumedAt);
    void open
      .follow(feed, this.#options.onEvent, () => this.changed(id))
      .catch(this.#options.onError)
      .finally(() => {
        this.#open.delete(id);
        if (this.#reading.get(id)?.readers === 0) this.#reading.delete(id);
        this.changed(id);
      });
    this.changed(id);
    return open;
  }

  #readingOf(id: string, lastSeq: number): Reading {
    const there = this.#reading.get(id);
    if (there !== undefined) return there;
    const feed = new Feed(lastSeq, (after, limit) => this.#earlier(id, after, limit));
    const reading: Reading = { feed, readers: 0, timer: undefined };
    this.#reading.set(id, reading);
    return reading;
  }

  async #earlier(id: string, after: number, limit: number): Promise<readonly string[]> {
    const { store, reins } = this.#options;
    if (store !== undefined) return store.sessions.lines(id, { after, limit });
    const lines: string[] = [];
    for await (const event of reins.sessions.events(id, { after })) {
      lines.push(JSON.stringify(event));
      if (lines.length === limit) break;
    }
    return lines;
  }

  #look(id: string, feed: Feed): void {
    const { store, onError } = this.#options;
    if (store === undefined || this.#open.has(id)) return;
    try {
      feed.grown(store.sessions.get(id)?.lastSeq ?? 0);
    } catch (thrown) {
      onError(thrown);
    }
  }

  #tell(change: Change): void {
    for (const listener of this.#listeners) listener(change);
  }
}

/** One in which nothing was asked yet. */
function fresh(open: OpenSession): SessionSummary {
  const { id, cwd, agent, state } = open.session;
  const now = new Date().toISOString();
  const { title, lastSeq, running, waiting } = open;
  return {
    id,
    cwd,
    title,
    agent,
    state,
    createdAt: now,
    updatedAt: now,
    lastSeq,
    turns: 0,
    open: true,
    running,
    waiting,
  };
}

/** There is none of that name, or it is none that this token may see. */
export function unknownSession(name: string): ReinsError {
  return new HttpError(404, "session_not_found", `There is no session ${name}.`);
}
