/**
 * The client's WebSocket. It is open while something is watched; after a disconnect it reconnects and continues each
 * session where it stopped.
 */
import type { ReinsError } from "../events/errors.ts";
import type { ReinsEvent } from "../events/types.ts";
import type { SessionSummary } from "../server/schemas/sessions.ts";
import type { ClientFrame, ServerFrame } from "../server/schemas/socket.ts";
import { errorOf, unreachable } from "./http.ts";
import { ReconnectDelay } from "./reconnect-delay.ts";

/** The part of `WebSocket` that the client uses. Browsers, Node and the package `ws` provide it. */
export interface SocketLike {
  send(text: string): void;
  close(): void;
  addEventListener(type: "open" | "close" | "error", listener: () => void): void;
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
}
/** A `WebSocket` class, for environments without a global one. */
export type SocketClass = new (url: string) => SocketLike;

export interface Watcher {
  /** Sequence number of the last event that the watcher has. */
  readonly at: number;
  /** `chars` is the length of the received frame. */
  take(events: readonly ReinsEvent[], chars: number): void;
  /** The session cannot be read, or not from this position. The watcher is removed. */
  fail(error: ReinsError): void;
}

/** Callbacks of `client.watchAll()`. All are optional. */
export interface SessionsListener {
  /** A session was created or changed, for example its title or status. */
  readonly onSession?: (session: SessionSummary) => void;
  /** A session was deleted. */
  readonly onRemoved?: (id: string) => void;
  /** Connected, also after a disconnect. Changes in between were not reported, so load the list again. */
  readonly onConnected?: () => void;
  /** The connection was lost. Without an error the client reconnects automatically. */
  readonly onLost?: (error?: ReinsError) => void;
}

export interface ConnectionOptions {
  readonly url: string;
  readonly token?: string | undefined;
  readonly WebSocket: SocketClass;
  readonly patienceMs: number;
  readonly longestPauseMs?: number | undefined;
  /** Called after a disconnect, because a refused WebSocket does not report the reason. False means that retrying is pointless. */
  readonly mayRetry?: (() => Promise<boolean>) | undefined;
}

export class Connection {
  readonly #options: ConnectionOptions;
  readonly #watchers = new Map<string, Set<Watcher>>();
  readonly #listeners = new Set<SessionsListener>();
  readonly #delay: ReconnectDelay;
  #socket: SocketLike | undefined;
  #ready = false;
  /** True after the server announced that it stops, until a server answers again. Every turn in it has ended. */
  stopped = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#delay = new ReconnectDelay(options.patienceMs, options.longestPauseMs);
  }

  /** Watching a session again makes the server resend from the position of the watcher that is furthest behind. */
  watch(session: string, watcher: Watcher): void {
    this.#watchers.set(session, (this.#watchers.get(session) ?? new Set()).add(watcher));
    if (this.#ready) this.#readFrom(session);
    else this.#connect();
  }

  unwatch(session: string, watcher: Watcher): void {
    const watchers = this.#watchers.get(session);
    if (watchers?.delete(watcher) !== true || watchers.size > 0) return;
    this.#watchers.delete(session);
    if (!this.#isNeeded) this.close();
    else if (this.#ready) this.#say({ type: "unwatch", session });
  }

  watchAll(listener: SessionsListener): () => void {
    this.#listeners.add(listener);
    if (this.#ready) {
      if (this.#listeners.size === 1) this.#say({ type: "watch-all" });
      listener.onConnected?.();
    } else this.#connect();
    return () => {
      this.#listeners.delete(listener);
      if (!this.#isNeeded) this.close();
    };
  }

  /** Connects now instead of waiting for the next scheduled attempt. */
  hurry(): void {
    this.#delay.end();
  }

  /** Keeps the watchers: they continue as soon as anything is watched again. */
  close(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#ready = false;
    this.#delay.end();
    socket?.close();
  }

  get #isNeeded(): boolean {
    return this.#watchers.size + this.#listeners.size > 0;
  }

  #connect(): void {
    if (this.#socket !== undefined) return;
    const { url, token, WebSocket } = this.#options;
    const socket = new WebSocket(`${url.replace(/^http/, "ws")}/ws`);
    this.#socket = socket;
    const isOurs = (): boolean => this.#socket === socket;
    // Send the token in a message, never in the URL: logs and histories keep URLs.
    socket.addEventListener(
      "open",
      () => isOurs() && this.#say({ type: "hello", ...(token !== undefined && { token }) }),
    );
    socket.addEventListener("message", ({ data }) => isOurs() && this.#take(String(data)));
    socket.addEventListener("error", () => undefined);
    socket.addEventListener("close", () => isOurs() && void this.#again(socket));
  }

  /** The closed socket stays in `#socket` until the retry, so that nothing else connects in the meantime. */
  async #again(closed: SocketLike): Promise<void> {
    const { url, mayRetry } = this.#options;
    const isOurs = (): boolean => this.#socket === closed;
    this.#ready = false;
    for (const { onLost } of this.#listeners) onLost?.();
    if (!this.#isNeeded) return this.close();
    const goesOn = (await mayRetry?.()) !== false && (!isOurs() || (await this.#delay.wait()));
    if (!isOurs()) return;
    if (!goesOn) return this.#fail(unreachable(url));
    this.#socket = undefined;
    if (this.#isNeeded) this.#connect();
  }

  #take(text: string): void {
    const frame = JSON.parse(text) as ServerFrame;
    switch (frame.type) {
      case "ready":
        return this.#connected();
      case "stops":
        this.stopped = true;
        return;
      case "events":
        return this.#events(frame.session, frame.events, text.length);
      case "session":
        for (const { onSession } of this.#listeners) onSession?.(frame.session);
        return;
      case "removed":
        for (const { onRemoved } of this.#listeners) onRemoved?.(frame.session);
        return;
      case "cut":
        return this.#readFrom(frame.session);
      case "error":
        return this.#error(frame);
      default:
        return;
    }
  }

  #connected(): void {
    this.#ready = true;
    this.stopped = false;
    this.#delay.reset();
    if (this.#listeners.size > 0) this.#say({ type: "watch-all" });
    for (const session of this.#watchers.keys()) this.#readFrom(session);
    for (const { onConnected } of this.#listeners) onConnected?.();
  }

  /** Watchers skip events that they already have. */
  #readFrom(session: string): void {
    const watchers = [...(this.#watchers.get(session) ?? [])];
    if (watchers.length > 0) this.#say({ type: "watch", session, after: Math.min(...watchers.map(({ at }) => at)) });
  }

  #events(session: string, events: readonly ReinsEvent[], chars: number): void {
    const watchers = [...(this.#watchers.get(session) ?? [])];
    // A frame that begins too late would leave a gap, so read again from the last event.
    if (watchers.some(({ at }) => (events[0]?.seq ?? 0) > at + 1)) this.#readFrom(session);
    else for (const watcher of watchers) watcher.take(events, chars);
  }

  #error(frame: ServerFrame & { readonly type: "error" }): void {
    const error = errorOf(frame);
    if (frame.session === undefined) return error.code === "not_authenticated" ? this.#fail(error) : undefined;
    const watchers = this.#watchers.get(frame.session) ?? [];
    this.#watchers.delete(frame.session);
    for (const watcher of watchers) watcher.fail(error);
  }

  #fail(error: ReinsError): void {
    const watchers = [...this.#watchers.values()].flatMap((some) => [...some]);
    this.#watchers.clear();
    this.close();
    this.#delay.reset();
    for (const watcher of watchers) watcher.fail(error);
    for (const { onLost } of this.#listeners) onLost?.(error);
  }

  #say(frame: ClientFrame): void {
    this.#socket?.send(JSON.stringify(frame));
  }
}
