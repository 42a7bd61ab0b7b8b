/** Client errors: each gets the right status, the common error shape with its code and one sentence, and loses no data. */
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { apiServer, type Answered, type TestServer } from "../../test/support/api-server.ts";
import { rawBytes, rawRequest } from "../../test/support/raw-request.ts";
import type { ReinsEvent } from "../events/types.ts";
import type { ErrorAnswer } from "./schemas/common.ts";

const over = (event: ReinsEvent): boolean => event.type === "turn.completed";
const json = { "content-type": "application/json" };

/** Returns status and code, after checking the shape and the sentence. */
function told({ status, body }: Pick<Answered<unknown>, "status" | "body">): string {
  const { error, ...rest } = body as ErrorAnswer;
  expect([rest, Object.keys(error).toSorted()]).toEqual([{}, expect.arrayContaining(["code", "message", "retryable"])]);
  expect(error.message).toMatch(/^[A-Z`/][^\n]*\.$/);
  expect(error.message).not.toMatch(/\n|    at |undefined|\[object/);
  return `${status} ${error.code}`;
}

async function raw(...asked: Parameters<typeof rawRequest>): Promise<string> {
  const { status, text } = await rawRequest(...asked);
  return told({ status, body: JSON.parse(text) as unknown });
}

async function saidOf(server: TestServer, path: string, body: string, type = "application/json"): Promise<string> {
  return told(await server.call(path, { body, headers: { "content-type": type } }));
}

test("tokens: missing, wrong, of the wrong type, and revoked", async () => {
  const server = await apiServer();
  const { token, id } = server.tokens.create({ name: "phone", scopes: ["read"] });
  expect((await server.call("/api/me", { token })).status).toBe(200);
  server.tokens.remove(id);
  for (const wrong of ["", "nonsense", token])
    expect(told(await server.call("/api/agents", { token: wrong }))).toBe("401 not_authenticated");
  const basic = { host: `127.0.0.1:${server.port}`, authorization: `Basic ${server.tokens.own}` };
  expect(await raw(server.port, "/api/me", basic)).toBe("401 not_authenticated");
  expect(await raw(server.port, "/metrics")).toBe("401 not_authenticated");
});

test("foreign hosts and origins, and a cookie without an Origin", async () => {
  const { port, tokens } = await apiServer();
  const authorization = `Bearer ${tokens.own}`;
  const cookie = `reins-${port}=${tokens.own}`;
  const own = `http://127.0.0.1:${port}`;
  const post = { method: "POST", body: "{}" };
  const refused = "403 permission_denied";
  expect(await raw(port, "/api/me", { authorization, host: "evil.example" })).toBe(refused);
  expect(await raw(port, "/", { host: `evil.example:${port}` })).toBe(refused);
  expect(await raw(port, "/api/me", { authorization, origin: "http://evil.example" })).toBe(refused);
  expect(await raw(port, "/api/me", { authorization, origin: "null" })).toBe(refused);
  expect(await raw(port, "/api/me", { authorization, origin: "http://127.0.0.1:1" })).toBe(refused);
  expect(await raw(port, "/api/collect", { ...json, cookie }, post)).toBe(refused);
  expect(await raw(port, "/api/sessions/x", { cookie }, { method: "DELETE" })).toBe(refused);
  const { status } = await rawRequest(port, "/api/collect", { ...json, cookie, origin: own }, post);
  expect(status).toBe(200);
});

test("bodies: not JSON, broken, too large, and invalid", async () => {
  const server = await apiServer();
  const large = `{"prompt":"${"x".repeat(33 * 1024 * 1024)}"}`;
  expect(await saidOf(server, "/api/sessions", "{}", "text/plain")).toBe("415 invalid_input");
  expect(await saidOf(server, "/api/sessions", "a=b", "application/x-www-form-urlencoded")).toBe("415 invalid_input");
  expect(await saidOf(server, "/api/uploads", "x", "multipart/form-data")).toBe("415 invalid_input");
  expect(await raw(server.port, "/api/login", {}, { method: "POST", body: "{}" })).toBe("415 invalid_input");
  expect(await saidOf(server, "/api/sessions", "{")).toBe("400 invalid_input");
  expect(await saidOf(server, "/api/sessions", "[]")).toBe("400 invalid_input");
  expect(await saidOf(server, "/api/sessions", '{"agnet":"demo"}')).toBe("400 invalid_input");
  expect(await saidOf(server, "/api/sessions", '{"__proto__":{"agent":"demo"},"mode":"god"}')).toBe(
    "400 invalid_input",
  );
  const authorization = `Bearer ${server.tokens.own}`;
  const said = { ...json, authorization, "content-length": String(large.length) };
  expect(await raw(server.port, "/api/sessions", said, { method: "POST", body: "{" })).toBe("413 invalid_input");
  // Without a Content-Length, the server counts the bytes.
  const counted = { ...json, authorization, "transfer-encoding": "chunked" };
  expect(await raw(server.port, "/api/sessions", counted, { method: "POST", body: large })).toBe("413 invalid_input");
});

test("unknown ids, unknown paths, and unsupported methods", async () => {
  const server = await apiServer();
  const at = async (path: string, call?: Parameters<TestServer["call"]>[1]): Promise<string> =>
    told(await server.call(path, call));
  expect(await at("/api/sessions/ses_none")).toBe("404 session_not_found");
  expect(await at("/api/sessions/ses_none/events")).toBe("404 session_not_found");
  expect(await at("/api/sessions/ses_none/turns", { body: { prompt: "hi" } })).toBe("404 session_not_found");
  expect(await at("/api/sessions/ses_none/answers/x", { body: { reply: "allow" } })).toBe("404 session_not_found");
  expect(await at("/api/sessions/ses_none", { method: "DELETE" })).toBe("404 session_not_found");
  expect(await at("/api/agents/nobody")).toBe("400 invalid_input");
  expect(await at("/api/sessions", { body: { agent: "nobody", cwd: server.cwd } })).toBe("400 invalid_input");
  expect(await at("/api/tokens/none", { method: "DELETE" })).toBe("404 invalid_input");
  expect(await at("/api/blobs/none")).toBe("400 invalid_input");
  expect(await at("/api/cloud/demo")).toBe("422 unsupported");
  expect(await at("/hooks/demo", { body: {} })).toBe("404 invalid_input");
  expect(await at("/hooks/nobody", { body: {} })).toBe("404 invalid_input");
  expect(await at("/api/nothing")).toBe("404 invalid_input");
  expect(await at("/nothing.js")).toBe("404 invalid_input");
  expect(await at("/api/sessions?cursor=nonsense")).toBe("400 invalid_input");
  expect(await at("/ws")).toBe("426 invalid_input");
  const wrong = await server.call("/api/sessions", { method: "PUT", body: {} });
  expect([told(wrong), wrong.headers.get("allow")]).toEqual(["405 invalid_input", "POST, GET"]);
});

test("folders and files outside the roots, also through links", async () => {
  const server = await apiServer({ rooted: true });
  symlinkSync("/etc", join(server.cwd, "link"));
  mkdirSync(join(server.cwd, "in"));
  const refused = "403 permission_denied";
  for (const cwd of ["/etc", join(server.cwd, "link"), join(server.cwd, ".."), `${server.cwd}x`])
    expect(told(await server.call("/api/sessions", { body: { agent: "demo", cwd } }))).toBe(refused);
  const directories = [join(server.cwd, "link")];
  const cwd = join(server.cwd, "in");
  expect(told(await server.call("/api/sessions", { body: { agent: "demo", cwd, directories } }))).toBe(refused);
  expect(told(await server.call("/api/sessions", { body: { agent: "demo", cwd: "in" } }))).toBe("400 invalid_input");
  const { id } = await server.session();
  for (const path of ["/etc/passwd", join(server.cwd, "link/passwd"), join(server.cwd, "in/../../x")]) {
    const prompt = { text: "say hi", attachments: [{ kind: "file", path }] };
    expect(told(await server.call(`/api/sessions/${id}/turns`, { body: { prompt } }))).toBe(refused);
  }
  for (const path of ["policy", "configuration", "agent-files", "agents/demo/mcp", "agents/demo/hooks"])
    expect([path, told(await server.call(`/api/${path}?cwd=/etc`))]).toEqual([path, refused]);
});

test("a busy session, a settled request, and a seq beyond the end; the session stays intact", async () => {
  const server = await apiServer();
  const { id } = await server.session("run true; sleep 60000");
  const asked = (event: ReinsEvent): boolean => event.type === "permission.requested";
  const request = (await server.until(id, asked)).find(asked) as ReinsEvent & { requestId: string };
  const turns = `/api/sessions/${id}/turns`;
  const answers = `/api/sessions/${id}/answers/${request.requestId}`;
  const busy = await server.call(turns, { body: { prompt: "say no" } });
  expect([told(busy), busy.body.error.retryable]).toEqual(["409 session_busy", true]);
  expect(told(await server.call(`/api/sessions/${id}`, { method: "DELETE" }))).toBe("409 session_busy");
  expect((await server.call(answers, { body: { reply: "allow" } })).status).toBe(200);
  await server.until(id, ({ type }) => type === "permission.resolved");
  expect(told(await server.call(answers, { body: { reply: "allow" } }))).toBe("409 invalid_input");
  expect(told(await server.call(`/api/sessions/${id}/answers/none`, { body: { reply: "deny" } }))).toBe(
    "409 invalid_input",
  );
  const beyond = `/api/sessions/${id}/events?after=100000`;
  expect(told(await server.call(beyond))).toBe("416 invalid_input");
  expect(told(await server.call(beyond, { headers: { accept: "text/event-stream" } }))).toBe("416 invalid_input");
  for (const seq of ["x", "-1", "1.5"])
    expect(told(await server.call(`/api/sessions/${id}/events`, { headers: { "last-event-id": seq } }))).toBe(
      "400 invalid_input",
    );
  await server.call(`/api/sessions/${id}/cancel`, { body: {} });
  const events = await server.until(id, over);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1));
  expect(events.filter(({ type }) => type === "turn.started")).toHaveLength(1);
});

test("answers invalid HTTP in the common error shape", async () => {
  const { port } = await apiServer();
  const answered = async (bytes: string): Promise<string> => {
    const [head = "", body = ""] = (await rawBytes(port, bytes)).split("\r\n\r\n");
    return told({ status: Number(head.split(" ")[1]), body: JSON.parse(body) as unknown });
  };
  expect(await answered("nonsense\r\n\r\n")).toBe("400 invalid_input");
  expect(await answered(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nA: ${"x".repeat(20_000)}\r\n\r\n`)).toBe(
    "431 invalid_input",
  );
  const close = "Connection: close\r\n\r\n";
  expect(await answered(`GET /\\x HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${close}`)).toBe("400 invalid_input");
  expect(await answered(`GET /health HTTP/1.1\r\nHost: a b\r\n${close}`)).toBe("400 invalid_input");
});
