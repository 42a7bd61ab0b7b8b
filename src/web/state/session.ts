/** The shown sessions and a few recent ones, so that going back to one is instant. */
import { useEffect, useMemo } from "react";
import type { Watcher } from "../../client/connection.ts";
import type { ReinsError } from "../../events/errors.ts";
import type { ReinsEvent } from "../../events/types.ts";
import type { SessionAnswer, SessionSummary } from "../../server/schemas/sessions.ts";
import { createConversation, type ConversationBuilder } from "../../view/conversation.ts";
import type { Conversation, PermissionItem, QuestionItem, TurnEntry } from "../../view/model.ts";
import { call, connection, sessionApi, statusOf } from "./server.ts";
import { knowSession, useSummary } from "./sessions.ts";
import { createStore, useStore, type Store } from "./store.ts";

/** Batches calls: runs `work` once in the next animation frame. */
function oncePerFrame(work: () => void): () => void {
  let asked = false;
  const run = (): void => {
    asked = false;
    work();
  };
  return () => {
    if (asked) return;
    asked = true;
    // A hidden page gets no animation frames, but must not fall behind.
    if (typeof document === "undefined" || document.visibilityState === "hidden") setTimeout(run, 100);
    else requestAnimationFrame(run);
  };
}

/** A new object for every frame in which something changed. `conversation` is always the same object and is mutated. */
export interface SessionView {
  readonly id: string;
  readonly conversation: Conversation;
  readonly version: number;
  /** True when all events that existed on opening are read. */
  readonly caughtUp: boolean;
  readonly error: { readonly code: string; readonly message: string } | undefined;
}

type EventListener = (event: ReinsEvent) => void;

export class OpenSession {
  readonly id: string;
  readonly store: Store<SessionView>;
  #builder: ConversationBuilder = createConversation();
  #error: SessionView["error"];
  #caughtUp = false;
  #expected: number | undefined;
  readonly #listeners = new Set<EventListener>();
  readonly #draw = oncePerFrame(() => this.store.set(this.#view(this.store.get().version + 1)));

  constructor(id: string) {
    this.id = id;
    this.store = createStore(this.#view(0));
  }

  get lastSeq(): number {
    return this.#builder.conversation.lastSeq;
  }

  take(events: readonly ReinsEvent[]): void {
    const live = this.#caughtUp;
    for (const event of events) {
      if (event.seq <= this.lastSeq) continue;
      this.#builder.apply(event);
      if (live) for (const listener of this.#listeners) listener(event);
    }
    this.#error = undefined;
    this.#look();
    this.#draw();
  }

  /** Sets the number of events that exist. Nothing is drawn until they are read, so that the session is drawn once. */
  expect(lastSeq: number): void {
    this.#expected = lastSeq;
    this.#look();
    this.#draw();
  }

  fail(error: NonNullable<SessionView["error"]>): void {
    this.#error = error;
    this.#draw();
  }

  /** The log was replaced: read it from the beginning. */
  restart(): void {
    this.#builder = createConversation();
    this.#caughtUp = false;
    this.#draw();
  }

  onEvent(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #look(): void {
    if (this.#expected !== undefined && this.lastSeq >= this.#expected) this.#caughtUp = true;
  }

  #view(version: number): SessionView {
    const { conversation } = this.#builder;
    return { id: this.id, conversation, version, caughtUp: this.#caughtUp, error: this.#error };
  }
}

const most = 6;

interface Kept {
  readonly session: OpenSession;
  users: number;
  stop: (() => void) | undefined;
}

const kept = new Map<string, Kept>();

export interface SessionState extends SessionView {
  /** The entry of the session list; undefined until it is known. */
  readonly info: SessionSummary | undefined;
  readonly turn: TurnEntry | undefined;
  readonly running: boolean;
  readonly requests: readonly (PermissionItem | QuestionItem)[];
}

export function useSession(id: string): SessionState {
  const { session } = useMemo(() => keptOf(id), [id]);
  const view = useStore(session.store);
  const info = useSummary(id);
  useEffect(() => hold(id), [id]);
  const turn = runningTurn(view.conversation);
  // An incomplete turn at the end of a log does not run when the list says that the session is idle.
  const running = info?.running ?? turn !== undefined;
  return { ...view, info, turn: running ? turn : undefined, running, requests: view.conversation.waiting };
}

/** Calls `listener` for events that arrive while the session is shown, not for earlier ones. */
export function useEvents(id: string | undefined, listener: EventListener): void {
  useEffect(() => (id === undefined ? undefined : keptOf(id).session.onEvent(listener)), [id, listener]);
}

function runningTurn({ entries }: Conversation): TurnEntry | undefined {
  const last = entries.findLast((entry) => entry.kind === "turn");
  return last?.end === undefined ? last : undefined;
}

function keptOf(id: string): Kept {
  const known = kept.get(id);
  if (known !== undefined) return known;
  const made: Kept = { session: new OpenSession(id), users: 0, stop: undefined };
  kept.set(id, made);
  return made;
}

function hold(id: string): () => void {
  const entry = keptOf(id);
  // Move to the end: the map is ordered from least to most recently used.
  kept.delete(id);
  kept.set(id, entry);
  entry.users++;
  entry.stop ??= follow(entry.session);
  return () => {
    entry.users--;
    forget();
  };
}

function forget(): void {
  for (const [id, { users, stop }] of kept) {
    if (kept.size <= most) return;
    if (users > 0) continue;
    stop?.();
    kept.delete(id);
  }
}

function follow(session: OpenSession): () => void {
  const { id } = session;
  let failed = false;
  const watcher: Watcher = {
    get at() {
      return session.lastSeq;
    },
    take: (events) => session.take(events),
    fail: (error) => {
      if (session.lastSeq > 0 && error.code === "invalid_input") {
        session.restart();
        return connection.watch(id, watcher);
      }
      failed = true;
      // A network failure says nothing about the session; it is requested again after the next connection.
      if (error.code !== "network" && error.code !== "not_authenticated") session.fail(error);
    },
  };
  const ask = async (): Promise<void> => {
    try {
      const answer = await call<SessionAnswer>("GET", sessionApi(id));
      const { legs: _legs, allTurns: _turns, ...summary } = answer;
      knowSession(summary);
      session.expect(summary.lastSeq);
    } catch (thrown) {
      if (statusOf(thrown) !== undefined) session.fail(thrown as ReinsError);
    }
  };
  connection.watch(id, watcher);
  const stopAsking = connection.watchAll({
    onConnected: () => {
      if (failed) connection.watch(id, watcher);
      failed = false;
      void ask();
    },
    onRemoved: (removed) => {
      if (removed === id) session.fail({ code: "session_not_found", message: "This session was removed." });
    },
  });
  return () => {
    stopAsking();
    connection.unwatch(id, watcher);
  };
}
