/** Limits connections. A connection above the limit gets an error to its first request, instead of being dropped. */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { answerOf, HttpError } from "../http-error.ts";
import type { ServerLimits } from "../limits.ts";

/** Connections above the limit that still get an error; further ones are dropped. */
const spare = 200;

export class Connections {
  readonly #most: number;
  readonly #open = new Set<Socket>();
  readonly #tooMany = new WeakSet<Socket>();

  constructor(server: Server, { connections: most, helloMs }: Pick<ServerLimits, "connections" | "helloMs">) {
    this.#most = most;
    server.maxConnections = most + spare;
    server.on("connection", (socket: Socket) => {
      // Once a byte has arrived, Node limits the time for the headers.
      const silent = setTimeout(() => socket.bytesRead === 0 && socket.destroy(), helloMs).unref();
      socket.once("close", () => clearTimeout(silent));
      if (this.#open.size >= most) this.#tooMany.add(socket);
      else this.#open.add(socket.once("close", () => this.#open.delete(socket)));
    });
  }

  /** Throws if this connection is above the limit. */
  require({ socket }: IncomingMessage): void {
    if (this.#tooMany.has(socket))
      throw new HttpError(429, "rate_limited", `There are ${this.#most} connections already; close one first.`);
  }

  /** Returns true if it answered the request with an error. */
  turnsAway(request: IncomingMessage, response: ServerResponse): boolean {
    try {
      this.require(request);
      return false;
    } catch (thrown) {
      const headers = { "content-type": "application/json", "retry-after": "60", connection: "close" };
      response.writeHead(429, headers).end(JSON.stringify(answerOf(thrown)));
      return true;
    }
  }
}
