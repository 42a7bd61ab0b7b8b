/** The one WebSocket, while any session is watched. Whenever it is cut, each is watched again from where it was. */
import type { ReinsError } from "../events/errors.ts";
import type { ReinsEvent } from "../events/types.ts";
import type { ClientFrame, ServerFrame } from "../server/schemas/socket.ts";
import { errorOf, unreachable } from "./errors.ts";
import { Patience } from "./patience.ts";

/** As much of a WebSocket as is needed: that of a browser, of Node, or another. */
export interface SocketLike {
  send(text: string): void;
  close(): void;
  addEventListener(type: "open" | "close" | "error", listener: () => void): void;
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
}
export type SocketClass = new (url: string) => SocketLike;

export interface Watcher {
  /** The last event it has. */
  readonly at: number;
  /** `chars`: how long they were. */
  take(events: readonly ReinsEvent[], chars: number): void;
  fail(error: ReinsError): void;
}

export interface ConnectionOptions {
  readonly url: string;
  readonly token: string | undefined;
  readonly WebSocket: SocketClass;
  readonly patienceMs: number;
}

export class Connection {
  readonly #options: ConnectionOptions;
  readonly #watchers = new Map<string, Watcher>();
  readonly #patience: Patience;
  #socket: SocketLike | undefined;
  #ready = false;
  #stopped = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#patience = new Patience(options.patienceMs);
  }

  /** The server said that it stops, and there is no other yet: all that ran in it is ended. */
  get stopped(): boolean {
    return this.#stopped;
  }

  watch(session: string, watcher: Watcher): void {
    this.#watchers.set(session, watcher);
    if (this.#ready) this.#say({ type: "watch", session, after: watcher.at });
    else if (this.#socket === undefined) this.#connect();
  }

  unwatch(session: string): void {
    if (!this.#watchers.delete(session)) return;
    if (this.#watchers.size === 0) this.close();
    else if (this.#ready) this.#say({ type: "unwatch", session });
  }

  close(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#ready = false;
    socket?.close();
  }

  #connect(): void {
    const { url, token, WebSocket } = this.#options;
    const socket = new WebSocket(`${url.replace(/^http/, "ws")}/ws`);
    this.#socket = socket;
    const isOurs = (): boolean => this.#socket === socket;
    // The token is in no address: those are written down in many places.
    socket.addEventListener(
      "open",
      () => isOurs() && this.#say({ type: "hello", ...(token !== undefined && { token }) }),
    );
    socket.addEventListener("message", ({ data }) => isOurs() && this.#take(String(data)));
    socket.addEventListener("error", () => undefined);
    socket.addEventListener("close", () => isOurs() && void this.#again());
  }

  async #again(): Promise<void> {
    this.#ready = false;
    // Nobody else connects meanwhile: there still is a socket, though it is closed.
    if (this.#watchers.size === 0) return this.close();
    if (!(await this.#patience.another())) return this.#fail(unreachable(this.#options.url));
    if (this.#socket === undefined || this.#watchers.size === 0) return this.close();
    this.#connect();
  }

  #take(text: string): void {
    const frame = JSON.parse(text) as ServerFrame;
    switch (frame.type) {
      case "ready":
        this.#ready = true;
        this.#stopped = false;
        this.#patience.renew();
        for (const [session, { at: after }] of this.#watchers) this.#say({ type: "watch", session, after });
        return;
      case "stops":
        this.#stopped = true;
        return;
      case "events":
        return this.#events(frame.session, frame.events, text.length);
      case "cut": {
        const watcher = this.#watchers.get(frame.session);
        if (watcher !== undefined) this.#say({ type: "watch", session: frame.session, after: watcher.at });
        return;
      }
      case "error":
        return this.#error(frame);
      default:
        return;
    }
  }

  #events(session: string, events: readonly ReinsEvent[], chars: number): void {
    const watcher = this.#watchers.get(session);
    if (watcher === undefined) return;
    // One that begins too late would leave a gap, whoever's mistake it is.
    if ((events[0]?.seq ?? 0) > watcher.at + 1) this.#say({ type: "watch", session, after: watcher.at });
    else watcher.take(events, chars);
  }

  #error(frame: ServerFrame & { readonly type: "error" }): void {
    const error = errorOf(frame);
    if (frame.session === undefined) return error.code === "not_authenticated" ? this.#fail(error) : undefined;
    const watcher = this.#watchers.get(frame.session);
    this.#watchers.delete(frame.session);
    watcher?.fail(error);
  }

  #fail(error: ReinsError): void {
    const watchers = [...this.#watchers.values()];
    this.#watchers.clear();
    this.close();
    this.#patience.renew();
    for (const watcher of watchers) watcher.fail(error);
  }

  #say(frame: ClientFrame): void {
    this.#socket?.send(JSON.stringify(frame));
  }
}
