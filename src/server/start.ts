/** The server: it is handed a Reins, and never makes one. */
import { createServer } from "node:http";
import type { IncomingMessage, Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { WebSocketServer } from "ws";
import type { Reins } from "../core/api.ts";
import type { Store } from "../core/log.ts";
import { ReinsError } from "../events/errors.ts";
import { createRedactor } from "../events/redact.ts";
import { Gate } from "./access/gate.ts";
import type { Knock } from "./access/gate.ts";
import type { Tokens } from "./access/tokens.ts";
import { createApp } from "./app.ts";
import type { ServerContext, ServerLog } from "./context.ts";
import { answerOf, statusOf } from "./http-error.ts";
import { Idempotency } from "./idempotency.ts";
import { Metrics } from "./metrics.ts";
import { OpenSessions } from "./open-sessions.ts";
import { Readers } from "./readers.ts";
import { frameBytes, serveSocket } from "./socket.ts";
import { Uploads } from "./uploads.ts";

export interface ServerOptions {
  readonly reins: Reins;
  /** The one that `reins` has: what is read from it comes as it is kept. */
  readonly store?: Store | undefined;
  /** Default: 127.0.0.1. */
  readonly host?: string | undefined;
  /** Default: any that is free. */
  readonly port?: number | undefined;
  readonly tokens: Tokens;
  /** Folders that everybody is held to. Without any, a token with the scope admin may work anywhere, others in the current folder. */
  readonly roots?: readonly string[] | undefined;
  /** Further names that a client may call this server by. */
  readonly allowHosts?: readonly string[] | undefined;
  readonly logger: ServerLog;
  /** The folder with the built page. */
  readonly page?: string | undefined;
  readonly version?: string | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Streams at once. */
  readonly mostReaders?: number | undefined;
}

export interface RunningServer {
  readonly url: string;
  readonly port: number;
  /** Nobody else is let in, streams end, sessions close, and what is being answered is answered. */
  close(): Promise<void>;
}

const closeMs = 5_000;
const loopback = ["127.0.0.1", "localhost", "[::1]"];

export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { reins, store, tokens, logger, host = "127.0.0.1", env = process.env, mostReaders = 500 } = options;
  const metrics = new Metrics();
  const redact = createRedactor({ ...env, REINS_SERVER_TOKEN: tokens.own });
  const onError = (thrown: unknown): void =>
    logger.warn({ why: redact(String(thrown)) }, "a session could not be followed");
  const stopping = new AbortController();
  let port = options.port ?? 0;
  const hosts = (): ReadonlySet<string> => {
    const named = [...loopback, host, ...(options.allowHosts ?? [])].map((name) => name.toLowerCase());
    return new Set(
      named.flatMap((name) => [
        `${name}:${port}`,
        ...(port === 80 || options.allowHosts?.includes(name) === true ? [name] : []),
      ]),
    );
  };
  // Cookies know no ports: two servers on one machine must not share one.
  const cookie = (): string => `reins-${port}`;
  const gate = new Gate({
    tokens,
    hosts,
    cookie,
    rootsOf: (scopes) => options.roots ?? (scopes.includes("admin") ? undefined : [process.cwd()]),
  });
  const context: ServerContext = {
    reins,
    store,
    tokens,
    metrics,
    env,
    redact,
    cookie,
    log: logger,
    stopping: stopping.signal,
    version: options.version ?? "0",
    open: new OpenSessions({ reins, store, onEvent: () => metrics.events++, onError }),
    uploads: new Uploads(),
    once: new Idempotency(),
    readers: new Readers(mostReaders),
  };
  const app = createApp(context, gate, options.page);
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const server = createServer(
    { keepAlive: true, headersTimeout: 15_000, requestTimeout: 120_000 },
    (request, response) => void answer(request, response),
  );
  server.maxConnections = mostReaders + 500;
  const sockets = new WebSocketServer({ noServer: true, maxPayload: frameBytes });

  server.on("upgrade", (request: IncomingMessage, duplex: Duplex, head: Buffer) => {
    duplex.on("error", () => duplex.destroy());
    const knock: Knock = { headers: request.headers, address: request.socket.remoteAddress ?? "", changes: true };
    try {
      gate.requireHost(knock);
      gate.requireOrigin(knock);
      if (new URL(request.url ?? "/", "http://x").pathname !== "/ws")
        throw new ReinsError("invalid_input", "There is no WebSocket here but at /ws.");
      const says =
        request.headers.authorization !== undefined || request.headers.cookie?.includes(`${cookie()}=`) === true;
      const principal = says ? gate.principal(knock) : undefined;
      const leave = context.readers.enter();
      duplex.once("close", leave);
      sockets.handleUpgrade(request, duplex, head, (socket) =>
        serveSocket(socket, { server: context, app, principal, known: (token) => gate.known(knock, token) }),
      );
    } catch (thrown) {
      refuseUpgrade(duplex, thrown);
    }
  });

  port = await listening(server, host, port);
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    port,
    close: () => {
      stopping.abort();
      return close(server, sockets, context);
    },
  };
}

function listening(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const taken = error.code === "EADDRINUSE";
      reject(
        new ReinsError(
          "invalid_input",
          taken ? `Port ${port} of ${host} is in use.` : `Nobody can listen on ${host}:${port} (${error.code}).`,
          {
            help: "Name another with `--port`.",
          },
        ),
      );
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function refuseUpgrade(duplex: Duplex, thrown: unknown): void {
  const status = statusOf(thrown);
  const body = JSON.stringify(answerOf(thrown));
  duplex.end(
    `HTTP/1.1 ${status} Refused\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

async function close(server: Server, sockets: WebSocketServer, { open, uploads }: ServerContext): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const socket of sockets.clients) socket.close(1001, "The server stops.");
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  await open.closeAll();
  uploads.remove();
  const late = setTimeout(() => {
    for (const socket of sockets.clients) socket.terminate();
    server.closeAllConnections();
  }, closeMs);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}
