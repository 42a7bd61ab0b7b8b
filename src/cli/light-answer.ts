/** What our server answers, as it comes over a socket: the reading half of `light-http.ts`. */
import type { Socket } from "node:net";

/** Far more than our server says before a body. */
const longestHead = 64 * 1024;

/** What comes, as lines and as bytes, no faster than it is read. */
export class Incoming {
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

export async function headOf(incoming: Incoming): Promise<Head> {
  const [, status] = /^HTTP\/1\.1 (\d{3})\b/.exec(await incoming.line()) ?? [];
  if (status === undefined) throw new Error("The server says something else than HTTP.");
  const headers = new Map<string, string>();
  for (let line = await incoming.line(); line !== ""; line = await incoming.line()) {
    const colon = line.indexOf(":");
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  return { status: Number(status), headers };
}

/** `over`: it was read to its end, or not. */
export async function* bodyOf(
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
