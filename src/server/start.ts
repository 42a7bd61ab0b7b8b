import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { removeAbandonedFiles } from "../agents/shared/program/private-files.ts";
import type { Reins } from "../core/api.ts";
import type { Store } from "../core/log/types.ts";
import { ReinsError } from "../events/errors.ts";
import { createRedactor } from "../events/redact.ts";
import { Gate, hostNames } from "./access/gate.ts";
import type { Tokens } from "./access/tokens.ts";
import { createApp } from "./app.ts";
import { openComparisons } from "../core/comparisons/comparisons.ts";
import { comparedSessions } from "./sessions/compared-sessions.ts";
import type { ServerContext, ServerLog } from "./context.ts";
import { HttpError, answerOf, statusOf } from "./http-error.ts";
import { Idempotency } from "./idempotency.ts";
import { usualLimits, type ServerLimits } from "./limits.ts";
import { Metrics } from "./metrics.ts";
import { HeldSessions } from "./sessions/held-sessions.ts";
import { collectWhenIdle } from "./sessions/idle.ts";
import { Connections } from "./transport/connections.ts";
import { Readers } from "./transport/stream-limit.ts";
import { Upgrades, turnAway } from "./transport/upgrade.ts";
import { Uploads } from "./uploads.ts";

export interface ServerOptions {
  readonly reins: Reins;
  /** The store of `reins`. With it, stored events are sent without parsing them. */
  readonly store?: Store | undefined;
  /** Default: 127.0.0.1. */
  readonly host?: string | undefined;
  /** Default: any free port. */
  readonly port?: number | undefined;
  readonly tokens: Tokens;
  /** Folders that all tokens are limited to. Default: tokens with the scope admin work anywhere, others in the current folder. */
  readonly roots?: readonly string[] | undefined;
  /** Further host names by which clients may address this server. */
  readonly allowHosts?: readonly string[] | undefined;
  readonly logger: ServerLog;
  /** The folder with the built page. */
  readonly page?: string | undefined;
  readonly version?: string | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly limits?: Partial<ServerLimits> | undefined;
}

export interface RunningServer {
  readonly url: string;
  readonly port: number;
  /** Refuses new connections, closes the sessions, sends the last events, and completes open requests. */
  close(): Promise<void>;
}

const sweepMs = 60_000;

export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { host = "127.0.0.1", tokens, roots, allowHosts = [] } = options;
  const stopping = new AbortController();
  let port = options.port ?? 0;
  // Cookies ignore ports, so two servers on one machine need different names.
  const cookie = (): string => `reins-${port}`;
  const server = contextOf(options, cookie, stopping.signal);
  const gate = new Gate({
    tokens,
    cookie,
    hosts: hostNames(host, allowHosts, () => port),
    rootsOf: (scopes) => roots ?? (scopes.includes("admin") ? undefined : [process.cwd()]),
    originOf: (folder) => server.comparisons.originOf(folder),
  });
  const app = createApp(server, gate, options.page);
  const answer = getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    // Hono could not parse the URL.
    errorHandler: (thrown) =>
      Response.json(answerOf(new HttpError(400, "invalid_input", "The request cannot be read.")), {
        status: thrown instanceof Error && thrown.name === "RequestError" ? 400 : statusOf(thrown),
      }),
  });
  const http = createServer(
    { keepAlive: true, headersTimeout: 15_000, requestTimeout: 120_000 },
    (request, response) => {
      if (!connections.turnsAway(request, response)) void answer(request, response);
    },
  );
  const connections = new Connections(http, server.limits);
  const upgrades = new Upgrades({ server, app, gate, connections });
  http.on("upgrade", (request, duplex, head) => upgrades.take(request, duplex, head));
  http.on("clientError", (error: NodeJS.ErrnoException, duplex) => unreadable(duplex, error.code));
  try {
    port = await listening(http, host, port);
  } catch (thrown) {
    await server.comparisons.close();
    throw thrown;
  }
  const clear = (): void => {
    server.uploads.removeOld();
    void removeAbandonedFiles("uploads");
  };
  const sweep = setInterval(clear, sweepMs).unref();
  clear();
  const { metrics } = server;
  const endResting = collectWhenIdle({ done: () => metrics.requests + metrics.events });
  return {
    url: `http://${nameOf(host)}:${port}`,
    port,
    close: () => {
      clearInterval(sweep);
      endResting();
      stopping.abort();
      return close(http, upgrades, server);
    },
  };
}

/** A server on all addresses also listens on loopback. */
function nameOf(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}

function contextOf(options: ServerOptions, cookie: () => string, stopping: AbortSignal): ServerContext {
  const { reins, store, tokens, logger, env = process.env, version = "0" } = options;
  const limits = { ...usualLimits, ...options.limits };
  const metrics = new Metrics();
  const redact = createRedactor({ ...env, REINS_SERVER_TOKEN: tokens.own });
  const uploads = new Uploads(limits);
  const open = new HeldSessions({
    reins,
    store,
    most: limits.sessions,
    onEvents: (count) => (metrics.events += count),
    onError: (thrown) => logger.warn({ why: redact(String(thrown)) }, "the events of a session could not be read"),
    onClosed: (id) => uploads.closed(id),
  });
  const comparisons = openComparisons({
    reins,
    sessions: comparedSessions(open),
    env,
    redact,
    onError: (thrown) =>
      logger.warn({ why: redact(String(thrown)) }, "the remains of a comparison could not be removed"),
  });
  const cut = (session: string, after: number): void => {
    metrics.cuts++;
    logger.warn({ session, after }, "a reader was disconnected because it was too slow");
  };
  const cutSocket = (): void => {
    metrics.cuts++;
    logger.warn({}, "a WebSocket did not read its answers and was disconnected");
  };
  const readers = new Readers(limits.streams);
  const once = new Idempotency();
  const shared = { reins, store, tokens, env, redact, limits, metrics, version, cookie, stopping };
  return { ...shared, log: logger, open, uploads, comparisons, readers, once, cut, cutSocket };
}

const unreadables: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, "The headers are too long."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request took too long to arrive."],
};

/** Answers a request that is not valid HTTP. */
function unreadable(duplex: Duplex, code = ""): void {
  if (code === "ECONNRESET") return void duplex.destroy();
  const [status, message] = unreadables[code] ?? [400, "The request cannot be read."];
  turnAway(duplex, status, JSON.stringify(answerOf(new HttpError(status, "invalid_input", message))));
}

async function close(http: Server, upgrades: Upgrades, server: ServerContext): Promise<void> {
  const { open, uploads, comparisons, limits } = server;
  const closed = new Promise<void>((resolve) => http.close(() => resolve()));
  const idle = setInterval(() => http.closeIdleConnections(), 50);
  await open.closeAll();
  upgrades.close();
  await comparisons.close();
  uploads.removeAll();
  const late = setTimeout(() => {
    upgrades.terminate();
    http.closeAllConnections();
  }, limits.closeMs);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}

/** Resolves with the port once it is open. */
export function listening(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const nowhere = error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND";
      let why = `The server cannot listen on port ${port} of ${host} (${error.code}).`;
      if (nowhere) why = `This machine has no address ${host}.`;
      if (error.code === "EADDRINUSE") why = `Port ${port} of ${host} is in use.`;
      const help = nowhere ? "Choose one of its addresses with `--host`." : "Choose another with `--port`.";
      reject(new ReinsError("invalid_input", why, { help }));
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}
