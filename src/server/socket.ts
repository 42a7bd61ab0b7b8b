/** One WebSocket: any call of the API, and the events of any number of sessions, each from where its reader is. */
import type { WebSocket } from "ws";
import type { Principal } from "./access/principal.ts";
import { mayWorkIn } from "./access/roots.ts";
import { sessionFor } from "./context.ts";
import type { ServerContext } from "./context.ts";
import type { App } from "./endpoint.ts";
import { answerOf, HttpError } from "./http-error.ts";
import { clientFrame } from "./schemas/socket.ts";
import type { ClientFrame, ServerFrame } from "./schemas/socket.ts";

export const frameBytes = 48 * 1024 * 1024;
/** Above that a reader waits for the socket, and after so long it is cut off. */
const fullBytes = 1024 * 1024;
const slowMs = 20_000;
const lookMs = 25;
const mostWatched = 100;
const helloMs = 10_000;

export interface SocketOptions {
  readonly server: ServerContext;
  readonly app: App;
  readonly known: (token: string) => Principal;
  /** Undefined until it says who it is. */
  readonly principal: Principal | undefined;
}

export function serveSocket(socket: WebSocket, options: SocketOptions): void {
  new Connection(socket, options).begin();
}

class Connection {
  readonly #socket: WebSocket;
  readonly #options: SocketOptions;
  readonly #watched = new Map<string, AbortController>();
  #principal: Principal | undefined;
  #stopAll: (() => void) | undefined;

  constructor(socket: WebSocket, options: SocketOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#principal = options.principal;
  }

  begin(): void {
    const late = setTimeout(() => this.#socket.close(4401, "Nobody said who this is."), helloMs);
    if (this.#principal !== undefined) clearTimeout(late);
    this.#socket.on("message", (data: Buffer, binary: boolean) => {
      void this.#take(data, binary, () => clearTimeout(late));
    });
    this.#socket.on("close", () => {
      clearTimeout(late);
      this.#stopAll?.();
      for (const watching of this.#watched.values()) watching.abort();
    });
    this.#socket.on("error", () => this.#socket.terminate());
  }

  async #take(data: Buffer, binary: boolean, known: () => void): Promise<void> {
    let frame: ClientFrame | undefined;
    try {
      frame = frameOf(data, binary);
      if (frame.type === "hello") {
        this.#hello(frame.token);
        known();
      } else await this.#do(frame);
    } catch (thrown) {
      const session = frame !== undefined && "session" in frame ? frame.session : undefined;
      this.#send({ type: "error", ...(session !== undefined && { session }), ...answerOf(thrown) });
      if (this.#principal === undefined) this.#socket.close(4401, "Nobody said who this is.");
    }
  }

  #hello(token: string | undefined): void {
    if (token !== undefined) this.#principal = this.#options.known(token);
    if (this.#principal === undefined) throw new HttpError(401, "not_authenticated", "This needs a token.");
    this.#send({ type: "ready" });
  }

  async #do(frame: Exclude<ClientFrame, { type: "hello" }>): Promise<void> {
    const principal = this.#principal;
    if (principal === undefined) throw new HttpError(401, "not_authenticated", "Say `hello` with a token first.");
    switch (frame.type) {
      case "watch":
        return this.#watch(principal, frame.session, frame.after ?? 0);
      case "unwatch":
        return this.#watched.get(frame.session)?.abort();
      case "watch-all":
        return this.#watchAll(principal);
      case "call":
        return this.#call(principal, frame);
    }
  }

  async #watch(principal: Principal, name: string, after: number): Promise<void> {
    const { server } = this.#options;
    if (this.#watched.size >= mostWatched)
      throw new HttpError(429, "rate_limited", `No more than ${mostWatched} sessions can be watched at once.`);
    this.#watched.get(name)?.abort();
    const watching = new AbortController();
    this.#watched.set(name, watching);
    let leave: (() => void) | undefined;
    try {
      const session = await sessionFor(server, principal, name);
      if (after > session.lastSeq)
        throw new HttpError(416, "invalid_input", `Session ${session.id} has ${session.lastSeq} events so far.`);
      const reading = server.open.read(session);
      leave = reading.leave;
      let at = after;
      for await (const { json, last } of reading.feed.frames(after, watching.signal)) {
        if (watching.signal.aborted) break;
        this.#socket.send(`{"type":"events","session":${JSON.stringify(name)},"events":${json}}`);
        at = last;
        if (await this.#isSlow(watching.signal)) {
          server.metrics.cuts++;
          this.#send({ type: "cut", session: name, reason: "This reader was too slow.", after: at });
          break;
        }
      }
    } finally {
      leave?.();
      if (this.#watched.get(name) === watching) this.#watched.delete(name);
    }
  }

  async #isSlow(signal: AbortSignal): Promise<boolean> {
    const since = Date.now();
    while (this.#socket.bufferedAmount > fullBytes && !signal.aborted) {
      if (Date.now() - since > slowMs) return true;
      await new Promise((resolve) => setTimeout(resolve, lookMs));
    }
    return false;
  }

  #watchAll(principal: Principal): void {
    this.#stopAll ??= this.#options.server.open.onChange((change) => {
      if ("removed" in change) this.#send({ type: "removed", session: change.removed });
      else if (mayWorkIn(principal, change.session.cwd)) this.#send({ type: "session", session: change.session });
    });
  }

  /** The same way as a request takes, but for the gate, which is behind it. */
  async #call(principal: Principal, { id, method, path, body, key }: ClientFrame & { type: "call" }): Promise<void> {
    const headers = { "content-type": "application/json", ...(key !== undefined && { "idempotency-key": key }) };
    const init = { method, headers, ...(body !== undefined && method !== "GET" && { body: JSON.stringify(body) }) };
    const answer = await this.#options.app.request(path, init, { principal });
    const text = await answer.text();
    const isJson = answer.headers.get("content-type")?.startsWith("application/json") === true;
    this.#send({ type: "answer", id, status: answer.status, body: isJson ? (JSON.parse(text) as unknown) : text });
  }

  #send(frame: ServerFrame): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(frame));
  }
}

function frameOf(data: Buffer, binary: boolean): ClientFrame {
  if (binary) throw new HttpError(400, "invalid_input", "Frames are text.");
  let value: unknown;
  try {
    value = JSON.parse(data.toString("utf8"));
  } catch {
    throw new HttpError(400, "invalid_input", "The frame is not JSON.");
  }
  const parsed = clientFrame.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new HttpError(400, "invalid_input", "The frame is none that is known here.", {
    help: "docs/api.md lists them.",
  });
}
