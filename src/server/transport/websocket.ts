/** A WebSocket: calls of the API, and the events of any number of sessions. */
import type { WebSocket } from "ws";
import { may, mayWorkIn, type Principal } from "../access/principal.ts";
import { sessionFor, type ServerContext } from "../context.ts";
import type { App } from "../endpoint.ts";
import { HttpError, answerOf, statusOf } from "../http-error.ts";
import { lookMs } from "../limits.ts";
import { keepAsking } from "./heartbeat.ts";
import { clientFrame, type ClientFrame, type ServerFrame } from "../schemas/socket.ts";

export interface SocketOptions {
  readonly server: ServerContext;
  readonly app: App;
  readonly known: (token: string) => Principal;
  /** Undefined until the client authenticates. */
  readonly principal: Principal | undefined;
  readonly onKnown: () => void;
}

export class SocketConnection {
  readonly #socket: WebSocket;
  readonly #options: SocketOptions;
  readonly #watched = new Map<string, AbortController>();
  readonly #doing = new Set<Promise<void>>();
  #principal: Principal | undefined;
  readonly #gone = new AbortController();
  #calls = 0;
  #sending: Promise<void> = Promise.resolve();
  #stopAll: (() => void) | undefined;

  constructor(socket: WebSocket, options: SocketOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#principal = options.principal;
    const { limits, stopping, tokens } = options.server;
    const { helloMs, heartbeatMs } = limits;
    const late = setTimeout(() => {
      if (this.#principal === undefined) this.#leave("The client did not authenticate.");
    }, helloMs).unref();
    const stopListening = tokens.onRemoved(() => this.#requireToken());
    const sayStops = (): void => this.#send({ type: "stops" });
    stopping.addEventListener("abort", sayStops, { once: true });
    const stopAsking = keepAsking(this.#socket, heartbeatMs, () => this.#requireToken());
    this.#socket.on("message", (data: Buffer, binary: boolean) => {
      const doing = this.#take(data, binary).finally(() => this.#doing.delete(doing));
      this.#doing.add(doing);
    });
    this.#socket.on("close", () => {
      clearTimeout(late);
      stopAsking();
      stopListening();
      this.#gone.abort();
      stopping.removeEventListener("abort", sayStops);
      this.#stopAll?.();
      for (const watching of this.#watched.values()) watching.abort();
    });
    this.#socket.on("error", () => this.#socket.terminate());
  }

  /** Closes the socket after its pending answers. */
  async stop(): Promise<void> {
    await Promise.all(this.#doing);
    this.#socket.close(1001, "The server is stopping.");
  }

  async #take(data: Buffer, binary: boolean): Promise<void> {
    let frame: ClientFrame | undefined;
    try {
      frame = frameOf(data, binary);
      if (frame.type === "hello") this.#hello(frame.token);
      else await this.#do(frame);
    } catch (thrown) {
      this.#failed(frame, thrown);
      if (this.#principal === undefined) this.#leave("The client did not authenticate.");
    }
  }

  #failed(frame: ClientFrame | undefined, thrown: unknown): void {
    const { server } = this.#options;
    const answer = server.redact.deep(answerOf(thrown));
    if (statusOf(thrown) >= 500)
      server.log.error({ frame: frame?.type, why: server.redact(String((thrown as Error).stack)) }, "a frame failed");
    if (frame?.type === "call")
      return this.#send({ type: "answer", id: frame.id, status: statusOf(thrown), body: answer });
    const session = frame !== undefined && "session" in frame ? frame.session : undefined;
    this.#send({ type: "error", ...(session !== undefined && { session }), ...answer });
  }

  #hello(token: string | undefined): void {
    if (token !== undefined) this.#principal = this.#options.known(token);
    if (this.#principal === undefined) throw new HttpError(401, "not_authenticated", "This request needs a token.");
    this.#options.onKnown();
    this.#send({ type: "ready" });
  }

  async #do(frame: Exclude<ClientFrame, { type: "hello" }>): Promise<void> {
    const principal = this.#principal;
    if (principal === undefined) throw new HttpError(401, "not_authenticated", "Say `hello` with a token first.");
    if (!this.#requireToken()) return;
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
    this.#watched.get(name)?.abort();
    this.#watched.delete(name);
    if (this.#watched.size >= server.limits.watched) throw tooMany("sessions can be watched", server.limits.watched);
    const watching = new AbortController();
    this.#watched.set(name, watching);
    let leave: (() => void) | undefined;
    try {
      const session = await sessionFor(server, principal, name);
      if (after > session.lastSeq)
        throw new HttpError(416, "invalid_input", `Session ${session.id} has ${session.lastSeq} events so far.`);
      const reading = server.open.read(session, may(principal, "approve"));
      leave = reading.leave;
      let at = after;
      let reason = "The session was removed.";
      for await (const { json, last } of reading.feed.frames(after, watching.signal)) {
        if (watching.signal.aborted) break;
        this.#socket.send(`{"type":"events","session":${JSON.stringify(name)},"events":${json}}`);
        at = last;
        if (!(await this.#isSlow(watching.signal))) continue;
        server.cut(session.id, at);
        reason = "This reader was too slow.";
        break;
      }
      // While the server stops, a client would only watch again.
      if (!watching.signal.aborted && !server.stopping.aborted)
        this.#send({ type: "cut", session: name, reason, after: at });
    } finally {
      leave?.();
      if (this.#watched.get(name) === watching) this.#watched.delete(name);
    }
  }

  /** Answers may be large: the next is sent when the last was taken, and a client that takes nothing is disconnected. */
  #inTurn(): Promise<void> {
    this.#sending = this.#sending.then(async () => {
      if (!(await this.#isSlow(this.#gone.signal))) return;
      this.#options.server.cutSocket();
      this.#socket.terminate();
    });
    return this.#sending;
  }

  async #isSlow(signal: AbortSignal): Promise<boolean> {
    const { fullBytes, slowMs } = this.#options.server.limits;
    for (let looks = 0; this.#socket.bufferedAmount > fullBytes && !signal.aborted; looks++) {
      if (looks * lookMs >= slowMs) return true;
      await new Promise((resolve) => setTimeout(resolve, lookMs));
    }
    return false;
  }

  #watchAll(principal: Principal): void {
    this.#stopAll ??= this.#options.server.open.onChange((change) => {
      const { cwd } = "removed" in change ? change : change.session;
      if (!mayWorkIn(principal, cwd)) return;
      if ("removed" in change) this.#send({ type: "removed", session: change.removed });
      else this.#send({ type: "session", session: change.session });
    });
  }

  /** Handles a call like a request, but without the gate, which the socket has already passed. */
  async #call(principal: Principal, { id, method, path, body, key }: ClientFrame & { type: "call" }): Promise<void> {
    const { app, server } = this.#options;
    if (this.#calls >= server.limits.calls) throw tooMany("calls can wait", server.limits.calls);
    if (key !== undefined && !/^[\x21-\x7e]+$/.test(key))
      throw new HttpError(400, "invalid_input", "A key consists of printable ASCII characters.");
    this.#calls++;
    try {
      const headers = { "content-type": "application/json", ...(key !== undefined && { "idempotency-key": key }) };
      const init = { method, headers, ...(body !== undefined && method !== "GET" && { body: JSON.stringify(body) }) };
      const answer = await app.request(path, init, { principal });
      const text = await answer.text();
      const isJson = answer.headers.get("content-type")?.startsWith("application/json") === true;
      await this.#inTurn();
      this.#send({ type: "answer", id, status: answer.status, body: isJson ? (JSON.parse(text) as unknown) : text });
    } finally {
      this.#calls--;
    }
  }

  /** Returns false if the token is no longer valid. */
  #requireToken(): boolean {
    if (this.#principal === undefined || this.#principal.counts()) return true;
    this.#leave("This token is no longer valid.");
    return false;
  }

  #leave(reason: string): void {
    this.#socket.close(4401, reason);
  }

  #send(frame: ServerFrame): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(frame));
  }
}

function tooMany(what: string, most: number): HttpError {
  return new HttpError(429, "rate_limited", `No more than ${most} ${what} at once.`);
}

export function frameOf(data: Buffer, binary: boolean): ClientFrame {
  if (binary) throw new HttpError(400, "invalid_input", "Frames are text.");
  let value: unknown;
  try {
    value = JSON.parse(data.toString("utf8"));
  } catch {
    throw new HttpError(400, "invalid_input", "The frame is not JSON.");
  }
  const parsed = clientFrame.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new HttpError(400, "invalid_input", "The frame has an unknown type or an invalid field.", {
    help: "docs/api.md lists the frames.",
  });
}
