/** The client's WebSocket, open while anything is watched. After a cut it reconnects and resumes each session where it was. */
import type { ReinsError } from "../events/errors.ts";
import type { ReinsEvent } from "../events/types.ts";
import type { SessionSummary } from "../server/schemas/sessions.ts";
import type { ClientFrame, ServerFrame } from "../server/schemas/socket.ts";
import { errorOf, unreachable } from "./http.ts";
import { ReconnectDelay } from "./reconnect-delay.ts";

/** The part of `WebSocket` that the client uses: a browser's, Node's or another. */
export interface SocketLike {
  send(text: string): void;
  close(): void;
  addEventListener(type: "open" | "close" | "error", listener: () => void): void;
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
}
export type SocketClass = new (url: string) => SocketLike;

export interface Watcher {
  /** The seq of the last event it has. */
  readonly at: number;
  /** `chars`: the length of the frame they came in. */
  take(events: readonly ReinsEvent[], chars: number): void;
  /** The session cannot be read, or not from there. It is watched no more. */
  fail(error: ReinsError): void;
}

export interface SessionsListener {
  readonly onSession?: (session: SessionSummary) => void;
  readonly onRemoved?: (id: string) => void;
  /** Connected, also after a cut: changes in between were not reported, so ask for the list. */
  readonly onConnected?: () => void;
  /** The connection was cut. Without an error it is tried again. */
  readonly onLost?: (error?: ReinsError) => void;
}

export interface ConnectionOptions {
  readonly url: string;
  readonly token?: string | undefined;
  readonly WebSocket: SocketClass;
  readonly patienceMs: number;
  readonly longestPauseMs?: number | undefined;
  /** Asked after a cut, because a refused socket does not say why: false where no attempt can succeed. */
  readonly mayRetry?: (() => Promise<boolean>) | undefined;
}

export class Connection {
  readonly #options: ConnectionOptions;
  readonly #watchers = new Map<string, Set<Watcher>>();
  readonly #listeners = new Set<SessionsListener>();
  readonly #delay: ReconnectDelay;
  #socket: SocketLike | undefined;
  #ready = false;
  /** The server announced that it stops, and no other answered since: every turn in it has ended. */
  stopped = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#delay = new ReconnectDelay(options.patienceMs, options.longestPauseMs);
  }

  /** A session that is watched already is read again, from where the watcher that is furthest behind stands. */
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

  /** Tries to connect now, where the next attempt is only due later. */
  hurry(): void {
    this.#delay.end();
  }

  /** Watchers stay, and go on as soon as anything is watched again. */
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
    // The token is never part of an address: logs and histories keep those.
    socket.addEventListener(
      "open",
      () => isOurs() && this.#say({ type: "hello", ...(token !== undefined && { token }) }),
    );
    socket.addEventListener("message", ({ data }) => isOurs() && this.#take(String(data)));
    socket.addEventListener("error", () => undefined);
    socket.addEventListener("close", () => isOurs() && void this.#again(socket));
  }

  /** Until it is over the closed socket stays in its place, so that nothing else connects meanwhile. */
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

  /** Watchers skip what they have already. */
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
