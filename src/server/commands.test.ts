/** A token with the scope `prompt` can neither start a program of its choice nor gain permissions, whatever way it tries. */
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { EventBatch } from "../core/log/event-batch.ts";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { apiServer, type TestServer } from "../../test/support/api-server.ts";
import type { Session } from "../core/api.ts";
import { about, conversation, stamped } from "../../test/support/store.ts";
import type { Scope } from "./schemas/settings.ts";

function tokenFor(server: TestServer, ...scopes: Scope[]): string {
  return server.tokens.create({ name: "a test's", scopes }).token;
}

/** Each request is refused for lack of a scope, and starts nothing. */
async function refuses(
  server: TestServer,
  token: string,
  asked: readonly (readonly [method: string, path: string, body?: object])[],
): Promise<void> {
  for (const [method, path, body] of asked) {
    const answer = await server.call(path, { method, token, ...(body !== undefined && { body }) });
    expect([path, body, answer.status, answer.body.error?.code]).toEqual([path, body, 403, "permission_denied"]);
  }
  expect(readdirSync(server.cwd)).toEqual([]);
}

/** The command would create a file. */
const command = "acp:touch started";
const options: readonly object[] = [
  { agent: command },
  { agent: "demo", fallback: [command] },
  { agent: "demo", env: { PATH: "." } },
  { agent: "demo", extraArgs: ["--flag"] },
  { agent: "demo", mcpServers: { a: { command: "touch", args: ["started"] } } },
  { agent: "demo", mcpServers: { a: { type: "http", url: "http://127.0.0.1:1" } } },
  { agent: "demo", after: "touch started" },
  { agent: "demo", budget: {} },
  { agent: "demo", remote: { webhook: { url: "http://127.0.0.1:1", secret: "s" } } },
  { resume: command },
  { resume: "demo:1:abcdef:1" },
  { resume: "acp:1:dG91Y2g=:1" },
  { agentFile: "/etc/agent.md" },
  { agentFile: "../agent.md" },
];

test("refuses a command in the options of a session, a warmed session and a context", async () => {
  const server = await apiServer({ rooted: true });
  const token = tokenFor(server, "prompt", "approve");
  for (const path of ["/api/sessions", "/api/warm", "/api/context"])
    await refuses(
      server,
      token,
      options.map((one) => ["POST", path, { cwd: server.cwd, ...one }]),
    );
  expect((await server.call("/api/sessions", { body: { agent: "demo", cwd: server.cwd }, token })).status).toBe(201);
});

test("refuses a command in a path and in a handoff", async () => {
  const server = await apiServer({ rooted: true });
  const token = tokenFor(server, "prompt", "approve");
  const { id } = await server.session();
  const named = encodeURIComponent(command);
  await refuses(server, token, [
    ["GET", `/api/agents/${named}`],
    ["GET", `/api/agents/${named}/models`],
    ["GET", `/api/agents/${named}/about`],
    ["POST", `/api/agents/${named}/verify`, {}],
    ["GET", `/api/agents/${named}/mcp`],
    ["GET", `/api/agents/${named}/mcp/x/tools`],
    ["GET", `/api/agents/${named}/hooks`],
    ["POST", `/api/sessions/${id}/handoff`, { to: command }],
    ["POST", "/api/agents/demo/conversation", {}],
    ["POST", "/api/agents/demo/hooks/install", { scope: "user" }],
    ["POST", "/api/agents/demo/mcp/x/enable", {}],
    ["POST", "/api/import", {}],
  ]);
  for (const path of [`/api/cloud/${named}`, `/hooks/${named}`])
    expect((await server.call(path, { method: path.startsWith("/hooks") ? "POST" : "GET" })).status).toBeGreaterThan(
      400,
    );
  expect(readdirSync(server.cwd)).toEqual([]);
});

test("refuses to resume a stored session of a command agent, and hides one outside the roots", async () => {
  const server = await apiServer({ rooted: true });
  const token = tokenFor(server, "prompt", "approve");
  const keep = (id: string, agent: string, cwd: string): void => {
    const log = server.store.open(id, about({ cwd }));
    log.append(new EventBatch(stamped(id, conversation("one")).map((event) => ({ ...event, agent }))));
    log.end();
  };
  keep("ses_command", command, server.cwd);
  keep("ses_outside", "demo", "/etc");
  await refuses(server, token, [
    ["POST", "/api/sessions", { resume: "ses_command" }],
    ["POST", "/api/sessions", { resume: "last", cwd: server.cwd }],
    ["POST", "/api/warm", { resume: "ses_command" }],
    ["POST", "/api/context", { resume: "ses_command" }],
    ["POST", "/api/sessions/ses_command/turns", { prompt: "hi" }],
    ["POST", "/api/sessions/ses_command/warm", {}],
    ["PATCH", "/api/sessions/ses_command", { model: "m" }],
  ]);
  for (const path of ["/api/sessions", "/api/warm", "/api/context"]) {
    const { status, body } = await server.call(path, { body: { resume: "ses_outside" }, token });
    expect([path, status, body.error?.code]).toEqual([path, 404, "session_not_found"]);
  }
});

test("refuses prompts to an open session of a command agent, and does not warm it again on close", async () => {
  const warmed: object[] = [];
  const server = await apiServer({
    rooted: true,
    wrap: (own) => ({
      ...own,
      warm: async (options = {}) => void warmed.push(options),
      // The demo agent, which claims to be a command.
      session: async (options) => {
        const session = await own.session(options);
        const get = (_session: Session, name: keyof Session): unknown => {
          const value: unknown = name === "agent" ? command : session[name];
          return typeof value === "function" ? value.bind(session) : value;
        };
        return new Proxy(session, { get } as ProxyHandler<Session>);
      },
    }),
  });
  const token = tokenFor(server, "prompt", "approve");
  const { id } = await server.session("say hi", { env: { A: "b" } });
  await server.until(id, ({ type }) => type === "turn.completed");
  await refuses(server, token, [
    ["POST", `/api/sessions/${id}/turns`, { prompt: "say more" }],
    ["POST", `/api/sessions/${id}/steer`, { prompt: "say more" }],
    ["POST", `/api/sessions/${id}/warm`, {}],
  ]);
  expect((await server.call(`/api/sessions/${id}/close`, { body: { again: true }, token })).status).toBe(200);
  const other = await server.session(undefined, { env: { A: "c" } });
  await server.call(`/api/sessions/${other.id}/close`, { body: { again: true } });
  // A warm-up for the earlier session would have come first.
  await vi.waitFor(() => expect(warmed).not.toEqual([]));
  expect(warmed).toMatchObject([{ env: { A: "c" } }]);
});

test("needs `approve` for options that skip permissions, and `prompt` for the rest", async () => {
  const server = await apiServer({ rooted: true });
  const [reader, prompter, approver] = [
    tokenFor(server, "read"),
    tokenFor(server, "prompt"),
    tokenFor(server, "approve", "prompt"),
  ];
  const { id } = await server.session();
  const wider: readonly object[] = [
    { mode: "full" },
    { mode: "edits" },
    { rules: [{ decision: "allow", tool: "shell" }] },
    { tools: { allowed: ["shell"] } },
    { allowUnenforced: true },
  ];
  await refuses(server, prompter, [
    ...wider.map((one) => ["POST", "/api/sessions", { agent: "demo", cwd: server.cwd, ...one }] as const),
    ["PATCH", `/api/sessions/${id}`, { mode: "full" }],
    ["POST", `/api/sessions/${id}/answers/x`, { reply: "allow" }],
    ["DELETE", `/api/sessions/${id}`],
    ["GET", "/api/tokens"],
    ["POST", "/api/tokens", { name: "more", scopes: ["admin"] }],
    ["POST", "/api/collect", {}],
    ["DELETE", "/api/policy/1"],
  ]);
  await refuses(server, reader, [
    ["POST", "/api/sessions", { agent: "demo", cwd: server.cwd }],
    ["POST", `/api/sessions/${id}/turns`, { prompt: "say hi" }],
    ["POST", `/api/sessions/${id}/cancel`, {}],
    ["POST", `/api/sessions/${id}/fork`, {}],
    ["GET", "/api/agents/demo/mcp"],
  ]);
  const body = { agent: "demo", cwd: server.cwd, mode: "edits" };
  expect((await server.call("/api/sessions", { body, token: approver })).status).toBe(201);
});

test("refuses prompts without `approve` in a session that skips permissions, whoever opened it", async () => {
  const server = await apiServer({ rooted: true });
  const [prompter, approver] = [tokenFor(server, "prompt"), tokenFor(server, "approve", "prompt")];
  const widened = [{ mode: "full" }, { mode: "edits" }, { rules: [{ decision: "allow", tool: "shell" }] }];
  for (const wider of widened) {
    const { id } = await server.session(undefined, wider);
    await refuses(server, prompter, [
      ["POST", `/api/sessions/${id}/turns`, { prompt: "run touch started" }],
      ["POST", `/api/sessions/${id}/steer`, { prompt: "run touch started" }],
      ["POST", "/api/sessions", { resume: id, prompt: "run touch started" }],
      ["POST", `/api/sessions/${id}/handoff`, { to: "native" }],
      ["POST", `/api/sessions/${id}/warm`, {}],
    ]);
    const body = { prompt: "say hi" };
    expect((await server.call(`/api/sessions/${id}/turns`, { body, token: approver })).status).toBe(202);
  }
  const { id } = await server.session();
  await server.call(`/api/sessions/${id}`, { method: "PATCH", body: { mode: "full" } });
  await refuses(server, prompter, [["POST", `/api/sessions/${id}/turns`, { prompt: "run touch started" }]]);
});

test("limits the configured mode for a token without `approve`", async () => {
  const server = await apiServer({ rooted: true });
  mkdirSync(server.env["REINS_HOME"]!, { recursive: true });
  writeFileSync(join(server.env["REINS_HOME"]!, "config.json"), JSON.stringify({ mode: "full" }));
  const [prompter, approver] = [tokenFor(server, "prompt"), tokenFor(server, "approve", "prompt")];
  const modeOf = async (token: string, body: object): Promise<unknown> => {
    const opened = await server.call("/api/sessions", { token, body: { cwd: server.cwd, prompt: "say hi", ...body } });
    const seen = await server.until(opened.body.id, ({ type }) => type === "turn.completed");
    await server.call(`/api/sessions/${opened.body.id}/close`, { body: {} });
    return seen.flatMap((event) => (event.type === "session.started" ? [event.mode] : []));
  };
  expect(await modeOf(approver, { agent: "demo" })).toEqual(["full"]);
  expect(await modeOf(prompter, { agent: "demo" })).toEqual(["ask"]);
  expect(await modeOf(prompter, { agent: "demo", widestMode: "full" })).toEqual(["ask"]);
  expect(await modeOf(prompter, { agent: "demo", widestMode: "read" })).toEqual(["read"]);
  const kept = await server.session("say hi");
  await server.until(kept.id, ({ type }) => type === "turn.completed");
  await server.call(`/api/sessions/${kept.id}/close`, { body: {} });
  expect(await modeOf(prompter, { resume: kept.id, cwd: undefined })).toEqual(["full", "ask"]);
});

test("refuses links that lead out of the roots, for every token", async () => {
  const server = await apiServer({ rooted: true });
  symlinkSync("/etc/ssl", join(server.cwd, "link"));
  const { id } = await server.session();
  for (const token of [tokenFor(server, "prompt"), server.tokens.own]) {
    const ask = async (path: string, body?: object): Promise<number> =>
      (await server.call(path, { token, ...(body !== undefined && { body }) })).status;
    for (const way of ["link", "link/..", "link/../ssl/.", "../.."]) {
      const path = `${server.cwd}/${way}`;
      const prompt = { text: "say hi", attachments: [{ kind: "file", path: `${path}/passwd` }] };
      expect([way, await ask(`/api/sessions/${id}/turns`, { prompt })]).toEqual([way, 403]);
      expect([way, await ask("/api/sessions", { agent: "demo", cwd: path })]).toEqual([way, 403]);
      expect([way, await ask("/api/sessions", { agent: "demo", directories: [path] })]).toEqual([way, 403]);
      expect([way, await ask(`/api/policy?cwd=${encodeURIComponent(path)}`)]).toEqual([way, 403]);
    }
  }
});
