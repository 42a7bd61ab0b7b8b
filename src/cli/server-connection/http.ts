/**
 * The part of HTTP and `fetch` that our client needs, over plain sockets: `node:http` costs a short command 16 ms (docs/performance.md).
 */
import { connect, type Socket } from "node:net";
import type { AnswerLike, FetchLike } from "../../client/index.ts";

interface RequestOptions {
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
}

export interface Answer {
  readonly status: number;
  /** Must be read to its end or destroyed. */
  readonly body: AsyncIterable<Buffer>;
  destroy(): void;
}

/** How long an idle connection is kept: the server closes it some seconds later, and a request sent just then would be lost. */
const restMs = 1_000;

/** Idle connections and their expiry. They do not keep the process alive. */
const idle = new Map<string, Map<Socket, number>>();

/** Resolves when the head of the answer has arrived; the body is still to be read. */
export async function request(url: string, options: RequestOptions = {}, signal?: AbortSignal): Promise<Answer> {
  const { host } = new URL(url);
  const socket = connectionTo(host);
  const destroy = (): void => void socket.destroy();
  signal?.addEventListener("abort", destroy);
  try {
    socket.write(requestText(url, options));
    const incoming = new Incoming(socket);
    const { status, headers } = await headOf(incoming);
    const body = bodyOf(incoming, headers, (isWhole) => {
      if (isWhole && headers.get("connection") !== "close") giveBack(host, socket);
      else destroy();
    });
    return { status, body, destroy };
  } catch (error) {
    destroy();
    throw error;
  } finally {
    signal?.removeEventListener("abort", destroy);
  }
}

export async function readBody({ body }: Answer): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Waits until the operating system has the request: it then arrives even if this process exits. The answer is not read. */
function send(url: string, options: RequestOptions): Promise<void> {
  const socket = connectionTo(new URL(url).host);
  return new Promise((resolve, reject) => {
    socket.write(requestText(url, options), (error) => {
      socket.unref();
      if (error instanceof Error) reject(socket.errored ?? error);
      else resolve();
    });
  });
}

function requestText(url: string, { method = "GET", headers = {}, body }: RequestOptions): string {
  const { host, pathname, search } = new URL(url);
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const lines = Object.entries({ host, ...headers, ...length }).map(([name, value]) => `${name}: ${value}`);
  return `${[`${method} ${pathname}${search} HTTP/1.1`, ...lines].join("\r\n")}\r\n\r\n${body ?? ""}`;
}

function connectionTo(host: string): Socket {
  const free = idle.get(host) ?? new Map<Socket, number>();
  idle.set(host, free);
  for (const [socket, until] of free) {
    free.delete(socket);
    if (performance.now() < until) return socket.setTimeout(0).ref().pause();
    socket.destroy();
  }
  const { hostname, port } = new URL(`http://${host}`);
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) });
  const forget = (): void => void free.delete(socket);
  return (
    socket
      // The reader gets the error from `socket.errored`.
      .on("error", () => undefined)
      .on("timeout", () => socket.destroy())
      .on("end", forget)
      .on("close", forget)
  );
}

function giveBack(host: string, socket: Socket): void {
  if (socket.destroyed) return;
  // Keep the socket flowing, or a close by the server would not be noticed.
  idle.get(host)?.set(socket.setTimeout(restMs).unref().resume(), performance.now() + restMs);
}

export const httpFetch: FetchLike = async (url, init) => {
  if (init?.leaving === true) {
    await send(url, init);
    return answer(200, Buffer.from("{}"));
  }
  const incoming = await request(url, init);
  return answer(incoming.status, await readBody(incoming));
};

function answer(status: number, bytes: Buffer): AnswerLike {
  const text = (): string => bytes.toString("utf8");
  return {
    ok: status >= 200 && status < 300,
    status,
    text: async () => text(),
    json: async () => JSON.parse(text()) as unknown,
    arrayBuffer: async () => new Uint8Array(bytes).buffer,
  };
}

export async function isAnswering(url: string, deadline?: AbortSignal): Promise<boolean> {
  try {
    const answer = await request(`${url}/health`, {}, deadline);
    // Read to the end, so that the connection can be reused.
    await readBody(answer);
    return answer.status === 200;
  } catch {
    return false;
  }
}

const longestHead = 64 * 1024;

/** Reads lines and bytes from a socket with back-pressure. */
class Incoming {
  readonly #socket: Socket;
  #rest: Buffer = Buffer.alloc(0);

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  async line(): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf("\n");
      if (end >= 0)
        return this.#take(end + 1)
          .toString("latin1")
          .trimEnd();
      if (this.#rest.length > longestHead) throw new Error("The server's answer is not HTTP.");
      await this.#more();
    }
  }

  async *bytes(count: number): AsyncGenerator<Buffer> {
    for (let left = count; left > 0;) {
      if (this.#rest.length === 0) await this.#more();
      const part = this.#take(Math.min(left, this.#rest.length));
      left -= part.length;
      yield part;
    }
  }

  #take(count: number): Buffer {
    const part = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(count);
    return part;
  }

  async #more(): Promise<void> {
    for (;;) {
      const chunk = this.#socket.read() as Buffer | null;
      if (chunk !== null) {
        this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
        return;
      }
      if (this.#socket.destroyed || this.#socket.readableEnded)
        throw this.#socket.errored ?? new Error("The connection was cut.");
      await readable(this.#socket);
    }
  }
}

/** Resolves when there is something to read, or the socket has ended. */
function readable(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const names = ["readable", "end", "close"];
    const done = (): void => {
      for (const name of names) socket.off(name, done);
      resolve();
    };
    for (const name of names) socket.on(name, done);
  });
}

type Headers = ReadonlyMap<string, string>;

async function headOf(incoming: Incoming): Promise<{ readonly status: number; readonly headers: Headers }> {
  const [, status] = /^HTTP\/1\.1 (\d{3})\b/.exec(await incoming.line()) ?? [];
  if (status === undefined) throw new Error("The server's answer is not HTTP.");
  const headers = new Map<string, string>();
  for (let line = await incoming.line(); line !== ""; line = await incoming.line()) {
    const colon = line.indexOf(":");
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  return { status: Number(status), headers };
}

/** Calls `over` at the end with whether the whole body was read. */
async function* bodyOf(incoming: Incoming, headers: Headers, over: (isWhole: boolean) => void): AsyncGenerator<Buffer> {
  let isWhole = false;
  try {
    if (headers.get("transfer-encoding") === "chunked") yield* chunksOf(incoming);
    else yield* incoming.bytes(Number(headers.get("content-length") ?? 0));
    isWhole = true;
  } finally {
    over(isWhole);
  }
}

async function* chunksOf(incoming: Incoming): AsyncGenerator<Buffer> {
  for (;;) {
    const size = Number.parseInt(await incoming.line(), 16);
    if (!(size >= 0)) throw new Error("The server's answer is not HTTP.");
    yield* incoming.bytes(size);
    await incoming.line();
    if (size === 0) return;
  }
}
