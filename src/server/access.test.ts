import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { apiServer } from "../../test/support/api-server.ts";
import type { TestServer } from "../../test/support/api-server.ts";
import { openTokens } from "./access/tokens.ts";
import { answerOf } from "./http-error.ts";
import type { Scope } from "./schemas/access.ts";

/** As `fetch` does not let one say it. */
function raw(server: TestServer, path: string, headers: Record<string, string>, method = "GET"): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port: server.port, path, method, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    asked.on("error", reject);
    asked.end();
  });
}

function tokenFor(server: TestServer, ...scopes: Scope[]): string {
  return server.tokens.create({ name: "a test's", scopes }).token;
}

test("no token, a wrong one, an expired one: 401 and one shape", async () => {
  const tokens = openTokens();
  let now = Date.now();
  const dated = openTokens(undefined, () => now);
  const server = await apiServer({
    tokens: { ...dated, own: tokens.own, check: (one) => dated.check(one) ?? tokens.check(one) },
  });
  const { token } = dated.create({ name: "short", scopes: ["read"], days: 1 });
  expect((await server.call("/api/me", { token })).body).toMatchObject({ name: "short", scopes: ["read"] });
  now += 25 * 60 * 60 * 1000;
  for (const wrong of ["", "nonsense", token]) {
    const { status, body } = await server.call("/api/agents", { token: wrong });
    expect([status, body.error.code, typeof body.error.help]).toEqual([401, "not_authenticated", "string"]);
  }
});

test("after twenty failures in a minute it is 429, and a token that counts still passes", async () => {
  const server = await apiServer();
  const statuses: number[] = [];
  for (let count = 0; count < 22; count++) statuses.push((await server.call("/api/me", { token: "x" })).status);
  expect([statuses[19], statuses[20]]).toEqual([401, 429]);
  expect((await server.call("/api/me")).status).toBe(200);
});

test("another Host, another Origin, and a cookie without an Origin are refused", async () => {
  const server = await apiServer();
  const authorization = `Bearer ${server.tokens.own}`;
  const cookie = `reins-${server.port}=${server.tokens.own}`;
  const json = { "content-type": "application/json", "content-length": "0" };
  const own = `http://127.0.0.1:${server.port}`;
  expect(await raw(server, "/api/me", { authorization, host: "evil.example" })).toBe(403);
  expect(await raw(server, "/health", { host: `evil.example:${server.port}` })).toBe(403);
  expect(await raw(server, "/api/me", { authorization, host: `localhost:${server.port}` })).toBe(200);
  expect(await raw(server, "/api/me", { authorization, origin: "http://evil.example" })).toBe(403);
  expect(await raw(server, "/api/me", { authorization, origin: "null" })).toBe(403);
  expect(await raw(server, "/api/me", { cookie })).toBe(200);
  expect(await raw(server, "/api/warm", { ...json, cookie }, "POST")).toBe(403);
  expect(await raw(server, "/api/collect", { ...json, cookie, origin: own }, "POST")).toBe(200);
});

test("a page moves its token into a cookie that no script reads", async () => {
  const server = await apiServer();
  const answer = await server.call("/api/login", { token: "", body: { token: server.tokens.own } });
  expect(answer.headers.get("set-cookie")).toMatch(/^reins-\d+=\S+; .*HttpOnly; SameSite=Strict$/);
  expect((await server.call("/api/login", { token: "", body: { token: "nonsense" } })).status).toBe(401);
});

test("what is no JSON, broken JSON, too large or not known is told so", async () => {
  const server = await apiServer();
  const status = async (path: string, body: string, type = "application/json"): Promise<number> =>
    (await server.call(path, { body, headers: { "content-type": type } })).status;
  expect(await status("/api/sessions", "{}", "text/plain")).toBe(415);
  expect(await status("/api/uploads", "x", "text/plain")).toBe(415);
  expect(await status("/api/sessions", "{")).toBe(400);
  expect(await status("/api/sessions", '{"agnet":"demo"}')).toBe(400);
  expect(await status("/api/sessions", `{"prompt":"${"x".repeat(33 * 1024 * 1024)}"}`)).toBe(413);
  expect(await status("/api/sessions/ses_none/turns", '{"prompt":"hi"}')).toBe(404);
  expect((await server.call("/api/sessions/ses_none/events")).body.error.code).toBe("session_not_found");
  expect((await server.call("/api/agents/nobody")).status).toBe(400);
  expect((await server.call("/api/nothing")).status).toBe(404);
  expect((await server.call("/api/blobs/none")).status).toBe(400);
  expect((await server.call("/hooks/demo", { body: {} })).status).toBe(404);
});

test("a seq beyond the end is 416, and no seq at all 400", async () => {
  const server = await apiServer();
  const { id } = await server.session();
  expect((await server.call(`/api/sessions/${id}/events?after=100000`)).status).toBe(416);
  expect((await server.call(`/api/sessions/${id}/events`, { headers: { "last-event-id": "x" } })).status).toBe(400);
});

test("scopes: whoever may only prompt starts no programs and widens nothing", async () => {
  const server = await apiServer({ roots: [tmpdir()] });
  const reader = tokenFor(server, "read");
  const prompter = tokenFor(server, "prompt");
  const post = async (body: object, token: string): Promise<number> =>
    (await server.call("/api/sessions", { body: { cwd: server.cwd, ...body }, token })).status;
  expect(await post({ agent: "demo" }, reader)).toBe(403);
  expect(await post({ agent: "demo" }, prompter)).toBe(201);
  const refused = [
    { agent: "acp:touch x" },
    { agent: "demo", fallback: ["acp:x"] },
    { agent: "demo", env: { A: "b" } },
    { agent: "demo", extraArgs: ["-x"] },
    { agent: "demo", mcpServers: { a: { command: "x" } } },
    { agent: "demo", after: "touch x" },
    { agent: "demo", mode: "full" },
    { agent: "demo", rules: [{ decision: "allow", tool: "shell" }] },
    { agent: "demo", tools: { allowed: ["shell"] } },
    { agent: "demo", allowUnenforced: true },
    { resume: "acp:touch x" },
    { agentFile: "/etc/agent.md" },
  ];
  for (const body of refused) expect([body, await post(body, prompter)]).toEqual([body, 403]);
  expect(readdirSync(server.cwd)).toEqual([]);
  expect((await server.call("/api/tokens", { token: prompter })).status).toBe(403);
  const { id } = await server.session();
  const answered = await server.call(`/api/sessions/${id}/answers/x`, { body: { reply: "allow" }, token: prompter });
  expect(answered.status).toBe(403);
});

test("folders and files outside the roots are refused, links followed", async () => {
  const outside = mkdtempSync(join(tmpdir(), "reins-outside-"));
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
  const inside = join(outside, "root");
  mkdirSync(inside);
  symlinkSync("/etc", join(inside, "link"));
  const server = await apiServer({ roots: [inside] });
  const post = async (cwd: string): Promise<number> =>
    (await server.call("/api/sessions", { body: { agent: "demo", cwd } })).status;
  expect(await post(inside)).toBe(201);
  for (const cwd of [outside, join(inside, "link"), join(inside, ".."), `${inside}x`])
    expect(await post(cwd)).toBe(403);
  expect(await post("relative")).toBe(400);
  const { id } = (await server.call("/api/sessions", { body: { agent: "demo", cwd: inside } })).body;
  const attachments = [{ kind: "file", path: join(inside, "link", "passwd") }];
  const turn = await server.call(`/api/sessions/${id}/turns`, { body: { prompt: { text: "say hi", attachments } } });
  expect(turn.status).toBe(403);
  expect((await server.call("/api/policy?cwd=/etc")).status).toBe(403);
});

test("a session of a folder that a token may not work in is not there for it", async () => {
  const server = await apiServer();
  const { id } = await server.session("say plum");
  await server.until(id, ({ type }) => type === "turn.completed");
  const token = tokenFor(server, "read", "prompt");
  const seen = async (path: string): Promise<unknown> => (await server.call(path, { token })).body;
  expect(await seen("/api/sessions")).toEqual({ sessions: [] });
  expect(await seen("/api/search?q=plum")).toEqual({ hits: [] });
  expect(await seen(`/api/sessions/${id}/events`)).toMatchObject({ error: { code: "session_not_found" } });
  expect((await server.call("/api/sessions")).body.sessions).toHaveLength(1);
});

test("it listens on the loopback address only", async () => {
  const server = await apiServer();
  expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
  await expect(fetch(`http://127.0.0.2:${server.port}/health`)).rejects.toThrow("fetch failed");
});

test("of a defect nothing is told but that it is one", () => {
  const answer = answerOf(new TypeError("cannot read /home/x/.secret"));
  expect(answer.error).toMatchObject({ code: "internal", message: "Something went wrong in the server." });
  expect(JSON.stringify(answer)).not.toMatch(/secret|at /);
});

test("more streams than there may be are refused with 429", async () => {
  const server = await apiServer({ limits: { streams: 3 } });
  const { id } = await server.session();
  const leaving = new AbortController();
  const open = (): Promise<Response> =>
    fetch(`${server.url}/api/sessions/${id}/events`, {
      headers: { authorization: `Bearer ${server.tokens.own}`, accept: "text/event-stream" },
      signal: leaving.signal,
    });
  const statuses = (await Promise.all(Array.from({ length: 53 }, open))).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(3);
  expect(statuses.filter((status) => status === 429)).toHaveLength(50);
  leaving.abort();
});

test("every answer says what a browser may not do, and no token is logged", async () => {
  const server = await apiServer();
  const { headers } = await server.call(`/api/me?token=${server.tokens.own}`);
  expect(headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(server.logged.length).toBeGreaterThan(0);
  expect(server.logged.join("\n")).not.toContain(server.tokens.own);
});

test("tokens are kept as hashes in a file for the person's eyes only, and are the same after a restart", () => {
  const folder = mkdtempSync(join(tmpdir(), "reins-tokens-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const tokens = openTokens(folder);
  const { token, id } = tokens.create({ name: "phone", scopes: ["read"] });
  const again = openTokens(folder);
  expect(again.own).toBe(tokens.own);
  expect(again.check(token)).toMatchObject({ id, name: "phone" });
  for (const file of readdirSync(folder)) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  again.remove(id);
  expect(again.check(token)).toBeUndefined();
});
