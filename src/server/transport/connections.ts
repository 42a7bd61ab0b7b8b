/** How many connections there may be. One above that is told so at its first request, instead of being dropped without a word. */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { answerOf, HttpError } from "../http-error.ts";
import type { ServerLimits } from "../limits.ts";

/** Above these nothing is said any more. */
const spare = 200;

export class Connections {
  readonly #most: number;
  readonly #open = new Set<Socket>();
  readonly #tooMany = new WeakSet<Socket>();

  constructor(server: Server, { connections: most, helloMs }: Pick<ServerLimits, "connections" | "helloMs">) {
    this.#most = most;
    server.maxConnections = most + spare;
    server.on("connection", (socket: Socket) => {
      // For how long headers may take Node sees to itself, once there is anything of them.
      const silent = setTimeout(() => socket.bytesRead === 0 && socket.destroy(), helloMs).unref();
      socket.once("close", () => clearTimeout(silent));
      if (this.#open.size >= most) this.#tooMany.add(socket);
      else this.#open.add(socket.once("close", () => this.#open.delete(socket)));
    });
  }

  /** Throws where this one came too late. */
  require({ socket }: IncomingMessage): void {
    if (this.#tooMany.has(socket))
      throw new HttpError(429, "rate_limited", `There are ${this.#most} connections already; close one first.`);
  }

  /** True where it was answered here. */
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
