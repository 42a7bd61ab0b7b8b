import type { Prompt, Reins, Session, SessionOptions, Turn, TurnOptions } from "../core/api.ts";
import { ReinsError, toReinsError } from "../events/errors.ts";
import type { RepositoryAnswer } from "../server/schemas/settings.ts";
import type { CreatedSession, SessionAnswer } from "../server/schemas/sessions.ts";
import { absolute, optionsBody, promptBody } from "./body.ts";
import { comparisonsOf } from "./comparisons.ts";
import { Connection, type SessionsListener, type SocketClass } from "./connection.ts";
import { Http, type FetchLike } from "./http.ts";
import { keptSessions, pathPart } from "./kept-sessions.ts";
import { managementOf, policyOf } from "./management.ts";
import { ClientSession, type ClientContext } from "./session.ts";
import { ClientTurn } from "./turn.ts";

/** Options of `createClient`. Only `url` is required. */
export interface ClientOptions {
  /** Address of the server: `http://127.0.0.1:7347`. */
  readonly url: string;
  /** Access token. A page served by the server itself does not need one, because it has a cookie. */
  readonly token?: string | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: FetchLike | undefined;
  /** Replaces the global `WebSocket`. */
  readonly WebSocket?: SocketClass | undefined;
  /** Default folder for sessions, as a path on the server's machine; `last` refers to it too. Default: the server's folder. */
  readonly cwd?: string | undefined;
  /** How long to wait for a server that does not answer, in milliseconds. Default: 60,000. */
  readonly patienceMs?: number | undefined;
  /** Called when the WebSocket was closed or refused, because it does not report the reason. Return false to stop reconnecting. */
  readonly mayRetry?: (() => Promise<boolean>) | undefined;
  /** When a session closes, starts an agent with the same options ahead of time for the next session. */
  readonly keepWarm?: boolean | undefined;
  /** Creates ids of turns and requests. Default: `crypto.randomUUID`. */
  readonly newId?: (() => string) | undefined;
}

/** A Reins whose agents and sessions are on a server. */
export interface Client extends Reins {
  /** Reports changes of all sessions on the server, whoever uses them. Returns a function that stops the reports. */
  watchAll(listener: SessionsListener): () => void;
  /** Reconnects now instead of waiting for the next attempt, for example because the network is back. */
  hurry(): void;
  /** Closes this client but lets running turns continue on the server. `close()` would cancel them. */
  leave(): Promise<void>;
}

/**
 * Connects to a server that runs `reins serve`. Works like `createReins`, but agents, sessions and stored data are the server's.
 *
 * @example
 * await using client = createClient({ url: "http://127.0.0.1:7347", token: process.env.REINS_TOKEN });
 * const { text } = await client.run("Explain this repository.").result;
 */
export function createClient(options: ClientOptions): Client {
  const { token, cwd, patienceMs = 60_000, mayRetry, keepWarm = false } = options;
  const newId = options.newId ?? (() => crypto.randomUUID());
  const url = options.url.replace(/\/+$/, "");
  const http = new Http({ url, token, patienceMs, fetch: options.fetch ?? ((...args) => fetch(...args)) });
  const connection = new Connection({
    url,
    token,
    patienceMs,
    mayRetry,
    WebSocket: options.WebSocket ?? globalThis.WebSocket,
  });
  const sessions = new Set<ClientSession>();
  const opening = new Set<Promise<unknown>>();
  const context: ClientContext = { http, connection, cwd, keepWarm, newId, sessions };
  let closing: Promise<void> | undefined;

  function refuseClosed(): void {
    if (closing !== undefined) throw new ReinsError("invalid_input", "This Reins is closed.");
  }

  async function create(wanted: SessionOptions): Promise<ClientSession> {
    const body = optionsBody(await known(context, wanted), cwd);
    const created = await http.post<CreatedSession>("/api/sessions", body, { key: newId() });
    const session = new ClientSession(context, created, wanted);
    sessions.add(session);
    return session;
  }

  async function open(wanted: SessionOptions): Promise<ClientSession> {
    refuseClosed();
    const created = create(wanted);
    opening.add(created);
    return created.finally(() => opening.delete(created));
  }

  async function close(how: "close" | "leave"): Promise<void> {
    // Wait for sessions that the server is still opening: they must be closed too.
    await Promise.allSettled(opening);
    await Promise.allSettled([...sessions].map((session) => session[how]()));
    connection.close();
  }

  const folder = (named: string | undefined): string | undefined => (named === undefined ? cwd : absolute(named, cwd));

  const reins: Client = {
    agents: ({ fresh } = {}) => http.field("agents", "/api/agents", { fresh }),
    agentFiles: (at = {}) => http.field("files", "/api/agent-files", { cwd: folder(at.cwd) }),
    agent: (id) => http.get(`/api/agents/${encodeURIComponent(id)}`),
    manage: (id) => managementOf(context, id),
    clouds: () => http.field("agents", "/api/cloud"),
    cloudTarget: (at = {}) => http.get("/api/cloud-target", { cwd: folder(at.cwd) }),
    saveCloudTarget: async (target, at = {}) =>
      void (await http.post("/api/cloud-target", { target: target ?? null, cwd: folder(at.cwd) })),
    session: (wanted: SessionOptions = {}): Promise<Session> => open(wanted),
    async warm(wanted: SessionOptions = {}) {
      refuseClosed();
      await http.post("/api/warm", optionsBody(wanted, cwd), { again: true });
    },
    run(prompt: Prompt, wanted: SessionOptions & TurnOptions = {}): Turn {
      const turn = new ClientTurn(wanted.id ?? `turn_${newId()}`);
      void runOnce(open, turn, prompt, wanted);
      return turn;
    },
    context: ({ prompt, ...wanted } = {}) =>
      http.post("/api/context", {
        ...optionsBody(wanted, cwd),
        attended: undefined,
        ...(prompt !== undefined && { prompt: promptBody(prompt, cwd) }),
      }),
    policy: async (at = {}) => policyOf(http, folder(at.cwd)),
    repository: async (at = {}) => {
      const { repository } = await http.get<RepositoryAnswer>("/api/repository", { cwd: folder(at.cwd) });
      return repository ?? undefined;
    },
    // Never sent twice: a confirmed action changes the remote repository.
    repositoryAction: (request = {}) => http.post("/api/repository/action", { ...request, cwd: folder(request.cwd) }),
    sessions: keptSessions(context),
    comparisons: comparisonsOf(context, () => reins),
    usage: (since) => http.get("/api/usage", { since }),
    running: () => http.field("running", "/api/ps"),
    watchAll: (listener) => connection.watchAll(listener),
    hurry: () => connection.hurry(),
    close: () => (closing ??= close("close")),
    leave: () => (closing ??= close("leave")),
    [Symbol.asyncDispose]: () => reins.close(),
  };
  return reins;
}

async function runOnce(
  open: (options: SessionOptions) => Promise<ClientSession>,
  turn: ClientTurn,
  prompt: Prompt,
  options: SessionOptions & TurnOptions,
): Promise<void> {
  let session: ClientSession | undefined;
  try {
    turn.cancelOn(options.signal);
    if (turn.cancelledEarly) return;
    session = await open(options);
    if (turn.cancelledEarly) return;
    await session.submit(turn, prompt, options);
    await turn.result;
  } catch (thrown) {
    turn.refuse(toReinsError(thrown));
  } finally {
    await session?.close().catch(() => undefined);
  }
}

/** A state may belong to a stored session, which has its own folder. Any other state continues in the caller's folder. */
async function known({ http, cwd }: ClientContext, options: SessionOptions): Promise<SessionOptions> {
  const { resume } = options;
  if (resume === undefined || options.cwd !== undefined || /^(ses_|last$)/.test(resume)) return options;
  const kept = await http.get<SessionAnswer>(`/api/sessions/${pathPart(resume)}`).catch(() => undefined);
  return kept === undefined ? { ...options, cwd } : { ...options, resume: kept.id };
}
