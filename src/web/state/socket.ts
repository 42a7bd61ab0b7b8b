/** The one WebSocket of the page: it comes back by itself, and goes on where each reader was. */
import type { ClientFrame, ServerFrame } from "../../server/schemas/socket.ts";
import type { ReinsEvent } from "../../events/types.ts";
import type { SessionSummary } from "../../server/schemas/sessions.ts";
import { backoff } from "./backoff.ts";
import { createStore } from "./store.ts";
import type { Store } from "./store.ts";

/** `lost`: it went, or did not come, and is tried again. */
export type Connection = "connecting" | "connected" | "lost";

export interface Watcher {
  /** The last event it has. */
  readonly after: () => number;
  readonly onEvents: (events: readonly ReinsEvent[]) => void;
  /** The session cannot be read, or not from there. */
  readonly onError: (error: { readonly code: string; readonly message: string }) => void;
}

export interface ListListener {
  readonly onSession: (session: SessionSummary) => void;
  readonly onRemoved: (id: string) => void;
  /** It is there again: what happened meanwhile has to be asked for. */
  readonly onConnected: () => void;
}

export class LiveSocket {
  readonly connection: Store<Connection> = createStore<Connection>("connecting");
  readonly #url: string;
  readonly #watchers = new Map<string, Watcher>();
  readonly #listeners = new Set<ListListener>();
  /** Asked when it cannot be opened: whether trying again makes sense. */
  readonly #mayRetry: () => Promise<boolean>;
  #socket: WebSocket | undefined;
  #ready = false;
  #attempt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(url: string, mayRetry: () => Promise<boolean>) {
    this.#url = url;
    this.#mayRetry = mayRetry;
  }

  start(): void {
    if (this.#socket !== undefined) return;
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    socket.addEventListener("open", () => this.#send({ type: "hello" }));
    socket.addEventListener("message", ({ data }) => this.#take(JSON.parse(data as string) as ServerFrame));
    socket.addEventListener("close", () => this.#gone(socket));
  }

  /** Nobody is signed in any more. Readers stay, and go on when it is started again. */
  stop(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#ready = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.connection.set("connecting");
    socket?.close();
  }

  /** At once, and not when the next try is due: the person looks at the page again, or the network is back. */
  hurry(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.start();
  }

  watch(session: string, watcher: Watcher): () => void {
    this.#watchers.set(session, watcher);
    if (this.#ready) this.#send({ type: "watch", session, after: watcher.after() });
    return () => {
      if (this.#watchers.get(session) !== watcher) return;
      this.#watchers.delete(session);
      if (this.#ready) this.#send({ type: "unwatch", session });
    };
  }

  /** The same reader once more, from where it is now. */
  again(session: string): void {
    const watcher = this.#watchers.get(session);
    if (watcher !== undefined && this.#ready) this.#send({ type: "watch", session, after: watcher.after() });
  }

  watchAll(listener: ListListener): () => void {
    this.#listeners.add(listener);
    if (this.#ready) listener.onConnected();
    return () => this.#listeners.delete(listener);
  }

  #send(frame: ClientFrame): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }

  #take(frame: ServerFrame): void {
    switch (frame.type) {
      case "ready":
        return this.#connected();
      case "events":
        return this.#watchers.get(frame.session)?.onEvents(frame.events);
      case "session":
        for (const { onSession } of this.#listeners) onSession(frame.session);
        return;
      case "removed":
        for (const { onRemoved } of this.#listeners) onRemoved(frame.session);
        return;
      case "cut":
        return this.again(frame.session);
      case "error":
        if (frame.session !== undefined) this.#watchers.get(frame.session)?.onError(frame.error);
        return;
      case "stops":
      case "answer":
        return;
    }
  }

  #connected(): void {
    this.#ready = true;
    this.#attempt = 0;
    this.#send({ type: "watch-all" });
    for (const session of this.#watchers.keys()) this.again(session);
    this.connection.set("connected");
    for (const { onConnected } of this.#listeners) onConnected();
  }

  #gone(socket: WebSocket): void {
    if (this.#socket !== socket) return;
    this.#socket = undefined;
    this.#ready = false;
    this.connection.set("lost");
    void this.#mayRetry().then((may) => {
      if (!may || this.#socket !== undefined || this.#timer !== undefined) return;
      this.#timer = setTimeout(() => this.hurry(), backoff(this.#attempt++));
    });
  }
}
