import type { Prompt, Reins, Session, SessionOptions, Turn, TurnOptions } from "../core/api.ts";
import type { AgentFilesAnswer, AgentsAnswer } from "../server/schemas/agents.ts";
import type { CloudsAnswer } from "../server/schemas/cloud.ts";
import type { PsAnswer } from "../server/schemas/settings.ts";
import { absolute, optionsBody, promptBody } from "./body.ts";
import { Connection } from "./connection.ts";
import type { SocketClass } from "./connection.ts";
import type { ClientContext } from "./context.ts";
import { closed } from "./errors.ts";
import { Http } from "./http.ts";
import type { FetchLike } from "./http.ts";
import { keptSessions } from "./kept-sessions.ts";
import { managementOf } from "./management.ts";
import { openSession, runOnce } from "./opening.ts";
import { policyOf } from "./policy.ts";
import type { ClientSession } from "./session.ts";
import { ClientTurn } from "./turn.ts";

export interface ClientOptions {
  /** Where the server is: `http://127.0.0.1:7347`. */
  readonly url: string;
  /** Not needed by a page of the server's own, which has a cookie. */
  readonly token?: string | undefined;
  /** Instead of the global one. */
  readonly fetch?: FetchLike | undefined;
  /** Instead of the global one. */
  readonly WebSocket?: SocketClass | undefined;
  /** The caller's folder, on the server's machine: where sessions are opened that name none, and what `last` is about. Default: the server's. */
  readonly cwd?: string | undefined;
  /** How long a server that does not answer is waited for. Default: a minute. */
  readonly patienceMs?: number | undefined;
  /** When a session is closed, an agent for another with the same options is started, to be there for the next. */
  readonly keepWarm?: boolean | undefined;
  /** Instead of `crypto.randomUUID`: names turns and requests. */
  readonly newId?: (() => string) | undefined;
}

/** The same as `createReins`, but the agents, the sessions and all that is kept are the server's. */
export function createClient(options: ClientOptions): Reins {
  const { token, cwd, patienceMs = 60_000, keepWarm = false } = options;
  const newId = options.newId ?? (() => crypto.randomUUID());
  const url = options.url.replace(/\/+$/, "");
  const http = new Http({ url, token, patienceMs, fetch: options.fetch ?? ((...args) => fetch(...args)) });
  const connection = new Connection({
    url,
    token,
    patienceMs,
    WebSocket: options.WebSocket ?? globalThis.WebSocket,
  });
  const sessions = new Set<ClientSession>();
  const opening = new Set<Promise<unknown>>();
  const context: ClientContext = {
    http,
    connection,
    cwd,
    keepWarm,
    newId,
    left: (session) => sessions.delete(session),
  };
  let closing: Promise<void> | undefined;

  function refuseClosed(): void {
    if (closing !== undefined) throw closed();
  }

  async function open(wanted: SessionOptions): Promise<ClientSession> {
    refuseClosed();
    const asked = openSession(context, wanted).then((session) => {
      sessions.add(session);
      return session;
    });
    opening.add(asked);
    return asked.finally(() => opening.delete(asked));
  }

  async function close(): Promise<void> {
    // Nobody else would close what the server is just opening.
    await Promise.allSettled(opening);
    await Promise.allSettled([...sessions].map((session) => session.close()));
    connection.close();
  }

  const folder = (named: string | undefined): string | undefined => (named === undefined ? cwd : absolute(named, cwd));

  const reins: Reins = {
    agents: async ({ fresh } = {}) => (await http.get<AgentsAnswer>("/api/agents", { fresh })).agents,
    agentFiles: async (at = {}) =>
      (await http.get<AgentFilesAnswer>("/api/agent-files", { cwd: folder(at.cwd) })).files,
    agent: (id) => http.get(`/api/agents/${encodeURIComponent(id)}`),
    manage: (id) => managementOf(context, id),
    clouds: async () => (await http.get<CloudsAnswer>("/api/cloud")).agents,
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
    sessions: keptSessions(context),
    usage: (since) => http.get("/api/usage", { since }),
    running: async () => (await http.get<PsAnswer>("/api/ps")).running,
    close: () => (closing ??= close()),
    [Symbol.asyncDispose]: () => reins.close(),
  };
  return reins;
}
