/** A server with the demo agent in its own folders. */
import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Reins } from "../../src/core/api.ts";
import type { Store } from "../../src/core/log/types.ts";
import { createReins } from "../../src/core/reins.ts";
import type { ReinsEvent } from "../../src/events/types.ts";
import { openTokens, type Tokens } from "../../src/server/access/tokens.ts";
import type { SessionSummary } from "../../src/server/schemas/sessions.ts";
import { startServer, type RunningServer, type ServerOptions } from "../../src/server/start.ts";
import { openStore } from "../../src/store/index.ts";
import { temporaryFolder } from "./processes.ts";

export interface Call {
  readonly method?: string;
  readonly body?: unknown;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answered<Body> {
  readonly status: number;
  readonly body: Body;
  readonly headers: Headers;
}

export interface TestServer extends RunningServer {
  readonly tokens: Tokens;
  readonly reins: Reins;
  readonly store: Store;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly logged: readonly string[];
  /** Any, because each test knows the answer it requested. */
  // oxlint-disable-next-line typescript/no-explicit-any
  call<Body = any>(path: string, call?: Call): Promise<Answered<Body>>;
  session(prompt?: string, more?: object): Promise<SessionSummary & { turn?: string }>;
  /** Waits until the session has a matching event. */
  until(session: string, is: (event: ReinsEvent) => boolean): Promise<readonly ReinsEvent[]>;
}

/** `rooted`: the server works in its own folder only. `variables`: the environment of the agents. */
export async function apiServer({
  rooted = false,
  variables = {},
  wrap = (own) => own,
  ...more
}: Partial<ServerOptions> & {
  rooted?: boolean;
  variables?: Readonly<Record<string, string>>;
  /** Replaces the Reins that the server uses. */
  wrap?: (reins: Reins) => Reins;
} = {}): Promise<TestServer> {
  const home = temporaryFolder();
  const cwd = join(realpathSync(home.path), "work");
  mkdirSync(cwd);
  const env = { PATH: "/usr/bin:/bin", HOME: home.path, REINS_HOME: join(home.path, "reins"), ...variables };
  const store = openStore({ env });
  const reins = createReins({ store, env, guardian: false });
  const tokens = more.tokens ?? openTokens();
  const logged: string[] = [];
  const log = (about: object, message: string): void => void logged.push(JSON.stringify({ ...about, message }));
  const logger = { info: log, warn: log, error: log };
  const server = await startServer({
    reins: wrap(reins),
    store,
    tokens,
    logger,
    env,
    version: "1.2.3",
    ...(rooted && { roots: [cwd] }),
    ...more,
  });
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= server.close());
  onTestFinished(async () => {
    await close();
    await reins.close();
    store.close();
    home[Symbol.dispose]();
  });

  async function call<Body>(
    path: string,
    { method, body, token = tokens.own, headers }: Call = {},
  ): Promise<Answered<Body>> {
    const answer = await fetch(server.url + path, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: {
        ...(token !== "" && { authorization: `Bearer ${token}` }),
        ...((body !== undefined || method === "POST") && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get("content-type")?.startsWith("application/json") === true;
    return { status: answer.status, body: (isJson ? JSON.parse(text) : text) as Body, headers: answer.headers };
  }

  async function session(prompt?: string, rest: object = {}): Promise<SessionSummary & { turn?: string }> {
    const { status, body } = await call<SessionSummary>("/api/sessions", {
      body: { agent: "demo", cwd, prompt, ...rest },
    });
    if (status !== 201) throw new Error(`The session was not created: ${JSON.stringify(body)}`);
    return body;
  }

  async function until(id: string, is: (event: ReinsEvent) => boolean): Promise<readonly ReinsEvent[]> {
    const leaving = new AbortController();
    const seen: ReinsEvent[] = [];
    for await (const events of streamed(server.url, tokens.own, id, 0, leaving.signal)) {
      seen.push(...events);
      if (seen.some(is)) break;
    }
    leaving.abort();
    if (!seen.some(is)) throw new Error(`The stream ended after ${seen.length} events without the awaited one.`);
    return seen;
  }

  return { ...server, close, tokens, reins, store, env, cwd, logged, call, session, until };
}

export async function* streamed(
  url: string,
  token: string,
  id: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<readonly ReinsEvent[]> {
  const answer = await fetch(`${url}/api/sessions/${id}/events`, {
    headers: { authorization: `Bearer ${token}`, accept: "text/event-stream", "last-event-id": String(after) },
    signal,
  });
  if (!answer.ok) throw new Error(`The stream was refused: ${answer.status} ${await answer.text()}`);
  let text = "";
  for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const frame = text.slice(0, end);
      text = text.slice(end + 2);
      const data = /^data: (.*)$/m.exec(frame)?.[1];
      if (frame.includes("event: events") && data !== undefined) yield JSON.parse(data) as readonly ReinsEvent[];
    }
  }
}
