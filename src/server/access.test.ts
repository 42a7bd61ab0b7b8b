import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { apiServer, type TestServer } from "../../test/support/api-server.ts";
import { hostNames } from "./access/gate.ts";
import { openTokens } from "./access/tokens.ts";
import { answerOf } from "./http-error.ts";
import type { Scope } from "./schemas/settings.ts";

function tokenFor(server: TestServer, ...scopes: Scope[]): string {
  return server.tokens.create({ name: "a test's", scopes }).token;
}

test("answers 401 in one shape without a token and with a wrong or expired one", async () => {
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

test("answers 429 after twenty failures in a minute, and still accepts a valid token", async () => {
  const server = await apiServer();
  const statuses: number[] = [];
  for (let count = 0; count < 22; count++) statuses.push((await server.call("/api/me", { token: "x" })).status);
  expect([statuses[19], statuses[20]]).toEqual([401, 429]);
  expect((await server.call("/api/me")).status).toBe(200);
});

test("moves the token of a page into a cookie that no script can read", async () => {
  const server = await apiServer();
  const answer = await server.call("/api/login", { token: "", body: { token: server.tokens.own } });
  expect(answer.headers.get("set-cookie")).toMatch(/^reins-\d+=\S+; .*HttpOnly; SameSite=Strict$/);
  expect((await server.call("/api/login", { token: "", body: { token: "nonsense" } })).status).toBe(401);
});

test("refuses the cookie to a page of another port, even without an Origin header", async () => {
  const server = await apiServer();
  const headers = { cookie: `reins-${server.port}=${server.tokens.own}` };
  const ask = async (site: string): Promise<number> =>
    (await server.call("/api/me", { token: "", headers: { ...headers, "sec-fetch-site": site } })).status;
  expect(await Promise.all(["same-origin", "none", "same-site", "cross-site"].map(ask))).toEqual([200, 200, 403, 403]);
});

test("hides a session in a folder that the token may not work in", async () => {
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

test("listens on the loopback address only", async () => {
  const server = await apiServer();
  expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
  await expect(fetch(`http://127.0.0.2:${server.port}/health`)).rejects.toThrow("fetch failed");
});

test("allows its own names with its port, and configured names with or without a port", () => {
  expect([...hostNames("127.0.0.1", ["Reins.example"], () => 7347)()].toSorted()).toEqual(
    ["127.0.0.1:7347", "[::1]:7347", "localhost:7347", "reins.example", "reins.example:7347"].toSorted(),
  );
  expect(hostNames("::1", [], () => 80)()).toContain("[::1]");
  expect(hostNames("10.0.0.7", [], () => 1)()).toContain("10.0.0.7:1");
});

test("does not reveal the details of a defect", () => {
  const answer = answerOf(new TypeError("cannot read /home/x/.secret"));
  expect(answer.error).toMatchObject({ code: "internal", message: "Something went wrong in the server." });
  expect(JSON.stringify(answer)).not.toMatch(/secret|at /);
});

test("sends security headers with every answer, and logs no token", async () => {
  const server = await apiServer();
  const { headers } = await server.call(`/api/me?token=${server.tokens.own}`);
  expect(headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(server.logged.length).toBeGreaterThan(0);
  expect(server.logged.join("\n")).not.toContain(server.tokens.own);
});

test("stores tokens as hashes in a private file, and keeps them after a restart", () => {
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
