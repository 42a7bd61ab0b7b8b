/** As much of HTTP as our own server speaks, over the sockets that are loaded anyway: `node:http` takes longer to be there than a short command has. */
import { connect } from "node:net";
import type { Socket } from "node:net";

export interface Question {
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
}

export interface LightAnswer {
  readonly status: number;
  /** To be read to its end, or destroyed. */
  readonly body: AsyncIterable<Buffer>;
  destroy(): void;
}

/** Far more than our server says before a body. */
const longestHead = 64 * 1024;

/** How long a connection rests at most: the server closes it some seconds later, and what is sent into one just then is lost. */
const restMs = 1_000;

/** Connections that wait for the next question, and until when. They keep no process. */
const idle = new Map<string, Map<Socket, number>>();

/** The answer, of which the body is still to be read. */
export async function answered(url: string, question: Question = {}, signal?: AbortSignal): Promise<LightAnswer> {
  const { host } = new URL(url);
  const socket = connectionTo(host);
  const destroy = (): void => void socket.destroy();
  signal?.addEventListener("abort", destroy);
  try {
    socket.write(requestOf(url, question));
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

export async function wholeOf({ body }: LightAnswer): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Until the system has it: it arrives then, also when this process is gone. The answer is nobody's. */
export function sent(url: string, question: Question): Promise<void> {
  const socket = connectionTo(new URL(url).host);
  return new Promise((resolve, reject) => {
    socket.write(requestOf(url, question), (error) => {
      socket.unref();
      if (error instanceof Error) reject(socket.errored ?? error);
      else resolve();
    });
  });
}

function requestOf(url: string, { method = "GET", headers = {}, body }: Question): string {
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
      // Of it hears whoever reads.
      .on("error", () => undefined)
      .on("timeout", () => socket.destroy())
      .on("end", forget)
      .on("close", forget)
  );
}

function giveBack(host: string, socket: Socket): void {
  if (socket.destroyed) return;
  // It flows, so that it is heard when the server closes it.
  idle.get(host)?.set(socket.setTimeout(restMs).unref().resume(), performance.now() + restMs);
}

/** What comes, as lines and as bytes, no faster than it is read. */
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
      if (this.#rest.length > longestHead) throw new Error("The server says something else than HTTP.");
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

/** It can be read, or there is nothing more. */
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

interface Head {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
}

async function headOf(incoming: Incoming): Promise<Head> {
  const [, status] = /^HTTP\/1\.1 (\d{3})\b/.exec(await incoming.line()) ?? [];
  if (status === undefined) throw new Error("The server says something else than HTTP.");
  const headers = new Map<string, string>();
  for (let line = await incoming.line(); line !== ""; line = await incoming.line()) {
    const colon = line.indexOf(":");
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  return { status: Number(status), headers };
}

async function* bodyOf(
  incoming: Incoming,
  headers: Head["headers"],
  over: (isWhole: boolean) => void,
): AsyncGenerator<Buffer> {
  let isWhole = false;
  try {
    if (headers.get("transfer-encoding") !== "chunked")
      yield* incoming.bytes(Number(headers.get("content-length") ?? 0));
    else yield* chunksOf(incoming);
    isWhole = true;
  } finally {
    over(isWhole);
  }
}

async function* chunksOf(incoming: Incoming): AsyncGenerator<Buffer> {
  for (;;) {
    const size = Number.parseInt(await incoming.line(), 16);
    if (!(size >= 0)) throw new Error("The server says something else than HTTP.");
    yield* incoming.bytes(size);
    await incoming.line();
    if (size === 0) return;
  }
}
