/** Upgrades requests to WebSockets, through the same gate and the limit for streams. */
import { STATUS_CODES, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer, type WebSocket } from "ws";
import type { Gate, GateRequest } from "../access/gate.ts";
import { requireScope, type Principal } from "../access/principal.ts";
import type { Connections } from "./connections.ts";
import type { ServerContext } from "../context.ts";
import type { App } from "../endpoint.ts";
import { answerOf, HttpError, statusOf, stops } from "../http-error.ts";
import { Readers } from "./stream-limit.ts";
import { terminalFor } from "../terminals.ts";
import { TerminalConnection } from "./terminal-socket.ts";
import { SocketConnection } from "./websocket.ts";

const frameBytes = 48 * 1024 * 1024;
/** More than one chunk of a socket, because frames after `hello` may be in it. */
const strangersBytes = 256 * 1024;

export interface UpgradeOptions {
  readonly server: ServerContext;
  readonly app: App;
  readonly gate: Gate;
  readonly connections: Connections;
}

export class Upgrades {
  readonly #options: UpgradeOptions;
  readonly #strangers: Readers;
  readonly #open = new Set<SocketConnection | TerminalConnection>();
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: frameBytes });

  constructor(options: UpgradeOptions) {
    this.#options = options;
    this.#strangers = new Readers(options.server.limits.strangers);
  }

  take(request: IncomingMessage, duplex: Duplex, head: Buffer): void {
    duplex.on("error", () => duplex.destroy());
    const refuse = (thrown: unknown): void =>
      turnAway(duplex, statusOf(thrown), JSON.stringify(this.#options.server.redact.deep(answerOf(thrown))));
    try {
      this.#let(request, duplex, head)?.catch(refuse);
    } catch (thrown) {
      refuse(thrown);
    }
  }

  close(): void {
    for (const connection of this.#open) void connection.stop();
  }

  terminate(): void {
    for (const socket of this.#sockets.clients) socket.terminate();
  }

  /** Limits a WebSocket that is not authenticated yet. Returns a function that lifts the limit. */
  #stranger(duplex: Duplex): () => void {
    const leave = this.#strangers.enter();
    let bytes = 0;
    const count = (chunk: Buffer): void => {
      bytes += chunk.byteLength;
      if (bytes > strangersBytes) duplex.destroy();
    };
    const onKnown = (): void => {
      duplex.off("data", count);
      leave();
    };
    duplex.on("data", count);
    duplex.once("close", onKnown);
    return onKnown;
  }

  /** Throws the error that refuses the request, or returns a promise that rejects with it. */
  #let(request: IncomingMessage, duplex: Duplex, head: Buffer): Promise<void> | undefined {
    const { server, app, gate, connections } = this.#options;
    const knock: GateRequest = { headers: request.headers, address: request.socket.remoteAddress ?? "", changes: true };
    connections.require(request);
    if (server.stopping.aborted) throw stops();
    gate.requireHost(knock);
    gate.requireOrigin(knock);
    const path = request.url?.split("?")[0] ?? "";
    const [, terminal] = /^\/ws\/terminals\/([\w-]{1,100})$/.exec(path) ?? [];
    if (path !== "/ws" && terminal === undefined)
      throw new HttpError(404, "invalid_input", "WebSockets are only at /ws and /ws/terminals/{id}.");
    const says =
      request.headers.authorization !== undefined || request.headers.cookie?.includes(`${server.cookie()}=`) === true;
    const principal = says ? gate.principal(knock) : undefined;
    if (terminal !== undefined && principal === undefined)
      throw new HttpError(
        401,
        "not_authenticated",
        "This request needs a token in the Authorization header or in the cookie.",
      );
    if (principal !== undefined && terminal !== undefined) requireScope(principal, "admin", "A terminal");
    const leave = server.readers.enter();
    duplex.once("close", leave);
    if (principal !== undefined && terminal !== undefined)
      return this.#showTerminal(terminal, principal, (show) =>
        this.#sockets.handleUpgrade(request, duplex, head, show),
      );
    const onKnown = principal === undefined ? this.#stranger(duplex) : () => undefined;
    const known = (token: string): Principal => gate.known(knock, token);
    this.#sockets.handleUpgrade(request, duplex, head, (socket) => {
      const connection = new SocketConnection(socket, { server, app, principal, onKnown, known });
      this.#open.add(connection);
      socket.once("close", () => this.#open.delete(connection));
    });
    return undefined;
  }

  async #showTerminal(
    id: string,
    principal: Principal,
    upgrade: (show: (socket: WebSocket) => void) => void,
  ): Promise<void> {
    const { server } = this.#options;
    const { socket: holder } = await terminalFor(server, principal, id);
    if (server.stopping.aborted) throw stops();
    upgrade((socket) => {
      const connection = new TerminalConnection(socket, { server, principal, holder });
      this.#open.add(connection);
      void connection.closed.then(() => this.#open.delete(connection));
    });
  }
}

/** Writes an HTTP answer to a request that is not upgraded. */
export function turnAway(duplex: Duplex, status: number, body: string): void {
  if (!duplex.writable) return;
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Refused"}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  duplex.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
