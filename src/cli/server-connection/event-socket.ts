/**
 * Implements the client's socket with one stream of server-sent events per watched session. The frames and the resuming are the same as
 * with a WebSocket, without the time to load a WebSocket.
 */
import { StringDecoder } from "node:string_decoder";
import type { SocketLike } from "../../client/index.ts";
import { isAnswering, readBody, request, type Answer } from "./http.ts";

interface ClientFrame {
  readonly type: string;
  readonly token?: string;
  readonly session?: string;
  readonly after?: number;
}

type Listener = (event: { readonly data: unknown }) => void;

/** Set when a socket was cut off: the next one opens only when the server answers, so that the client counts its attempts. */
let isInDoubt = false;

export class EventSocket implements SocketLike {
  readonly #url: string;
  readonly #listeners = new Map<string, Listener>();
  readonly #streams = new Map<string, Answer>();
  #token = "";
  #closed = false;

  constructor(url: string) {
    this.#url = url.replace(/^ws/, "http").replace(/\/ws$/, "");
    if (isInDoubt) void this.#check();
    // Open after the requests made in the meantime: the first prompt is sent before its events are awaited.
    else setImmediate(() => this.#tell("open"));
  }

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.set(type, listener);
  }

  send(text: string): void {
    const { type, token = "", session = "", after = 0 } = JSON.parse(text) as ClientFrame;
    if (type === "hello") {
      this.#token = token;
      queueMicrotask(() => this.#tell("message", JSON.stringify({ type: "ready" })));
    }
    const before = this.#streams.get(session);
    this.#streams.delete(session);
    before?.destroy();
    if (type === "watch") void this.#watch(session, after);
  }

  close(): void {
    this.#closed = true;
    for (const stream of this.#streams.values()) stream.destroy();
  }

  #lose(): void {
    if (this.#closed) return;
    isInDoubt = true;
    this.close();
    this.#tell("close");
  }

  async #check(): Promise<void> {
    if (!(await isAnswering(this.#url))) return this.#lose();
    isInDoubt = false;
    this.#tell("open");
  }

  async #watch(session: string, after: number): Promise<void> {
    let stream: Answer | undefined;
    try {
      stream = await this.#opened(session, after);
      if (this.#closed) return stream.destroy();
      this.#streams.set(session, stream);
      if (stream.status === 200) await this.#read(stream, session);
      else await this.#refused(stream, session);
    } catch {
      // The stream was cut; the client reconnects where it was.
    }
    if (stream === undefined || this.#streams.get(session) === stream) this.#lose();
  }

  #opened(session: string, after: number): Promise<Answer> {
    const headers = {
      authorization: `Bearer ${this.#token}`,
      accept: "text/event-stream",
      "last-event-id": String(after),
    };
    return request(`${this.#url}/api/sessions/${session}/events`, { headers });
  }

  async #read(stream: Answer, session: string): Promise<void> {
    const name = JSON.stringify(session);
    for await (const { type, data } of frames(stream)) {
      if (this.#streams.get(session) !== stream) return;
      const isEvents = type === "events";
      this.#tell("message", isEvents ? `{"type":"events","session":${name},"events":${data}}` : '{"type":"stops"}');
    }
  }

  async #refused(stream: Answer, session: string): Promise<void> {
    const said = JSON.parse((await readBody(stream)).toString("utf8")) as object;
    this.#streams.delete(session);
    this.#tell("message", JSON.stringify({ type: "error", session, ...said }));
  }

  #tell(type: string, data?: string): void {
    if (!this.#closed || type === "close") this.#listeners.get(type)?.({ data });
  }
}

/** Skips comments and other kinds of frames. */
async function* frames(stream: Answer): AsyncGenerator<{ readonly type: string; readonly data: string }> {
  let rest = "";
  const decoder = new StringDecoder("utf8");
  for await (const chunk of stream.body) {
    const parts = (rest + decoder.write(chunk)).split("\n\n");
    rest = parts.pop()!;
    for (const part of parts) {
      const [, type, data] = /^event: (events|stops)\ndata: ([^\n]*)$/m.exec(part) ?? [];
      if (type !== undefined && data !== undefined) yield { type, data };
    }
  }
}
