import { expect, test } from "vitest";
import { apiServer } from "../../../test/support/api-server.ts";
import { isA, Peer, peerOf } from "../../../test/support/socket-peer.ts";
import { openTokens } from "../access/tokens.ts";
import type { ServerFrame } from "../schemas/socket.ts";

test("handles calls, watched sessions and changes of the list over one socket", async () => {
  const server = await apiServer();
  const peer = await new Peer(server).open();
  peer.say({ type: "hello", token: server.tokens.own });
  await peer.until(isA("ready"));
  peer.say({ type: "watch-all" });
  const { id } = await server.session();
  peer.say({ type: "watch", session: id, after: 0 });
  peer.say({ type: "call", id: 7, method: "POST", path: `/api/sessions/${id}/turns`, body: { prompt: "stream 50" } });
  const over = (frame: ServerFrame): frame is ServerFrame =>
    frame.type === "events" && frame.events.some(({ type }) => type === "turn.completed");
  await peer.until(over);
  expect(await peer.until(isA("answer"))).toMatchObject({ id: 7, status: 202, body: { session: id } });
  const seqs = peer.frames.filter(isA("events")).flatMap(({ events }) => events.map(({ seq }) => seq));
  expect(seqs).toEqual(seqs.map((_seq, index) => index + 1));
  expect((await peer.until(isA("session"))).session.id).toBe(id);
});

test("answers invalid frames and keeps the connection", async () => {
  const server = await apiServer();
  const peer = await peerOf(server);
  const garbage = [
    "{",
    "[]",
    "null",
    '{"type":"what"}',
    '{"type":"watch"}',
    '{"type":"call","id":1,"method":"PUT","path":"/x"}',
  ];
  for (const frame of garbage) peer.say(frame);
  peer.socket.send(Buffer.from([1, 2, 3]), { binary: true });
  peer.say({ type: "call", id: "after", method: "GET", path: "/api/me" });
  await peer.until(isA("answer"));
  const errors = peer.frames.filter(isA("error"));
  expect(errors).toHaveLength(garbage.length + 1);
  expect(new Set(errors.map(({ error }) => error.code))).toEqual(new Set(["invalid_input"]));
  peer.say({ type: "watch", session: "ses_none" });
  await peer.until((frame): frame is ServerFrame => frame.type === "error" && frame.session === "ses_none");
});

test("answers an invalid idempotency key under the id of the call", async () => {
  const server = await apiServer();
  const peer = await peerOf(server);
  for (const key of ["a\nb", "ключ", ""]) {
    peer.say({ type: "call", id: key, method: "POST", path: "/api/sessions", body: { agent: "demo" }, key });
    const answered = (frame: ServerFrame): frame is ServerFrame => frame.type === "answer" && frame.id === key;
    expect(await peer.until(answered)).toMatchObject({ status: 400, body: { error: { code: "invalid_input" } } });
  }
});

test("refuses unauthenticated clients", async () => {
  const server = await apiServer();
  const peer = await new Peer(server).open();
  peer.say({ type: "watch-all" });
  expect(await peer.closed).toBe(4401);
  const wrong = await new Peer(server).open();
  wrong.say({ type: "hello", token: "nonsense" });
  expect(await wrong.closed).toBe(4401);
  await expect(new Peer(server, { authorization: "Bearer nonsense" }).open()).rejects.toThrow("401");
  await expect(new Peer(server, { origin: "http://evil.example" }).open()).rejects.toThrow("403");
  await expect(new Peer(server, { host: "evil.example" }).open()).rejects.toThrow("403");
  const cookie = `reins-${server.port}=${server.tokens.own}`;
  await expect(new Peer(server, { cookie }).open()).rejects.toThrow("403");
  await new Peer(server, { cookie, origin: server.url }).open();
});

test("closes the connections of a removed and of an expired token", async () => {
  let now = Date.now();
  const tokens = openTokens(undefined, () => now);
  const server = await apiServer({ tokens, limits: { heartbeatMs: 100 } });
  const { token, id } = tokens.create({ name: "phone", scopes: ["read"] });
  const taken = await peerOf(server, token);
  const session = await server.session();
  const stream = await fetch(`${server.url}/api/sessions/${session.id}/events`, {
    headers: { authorization: `Bearer ${tokens.own}`, accept: "text/event-stream" },
  });
  expect(stream.status).toBe(200);
  tokens.remove(id);
  taken.say({ type: "call", id: 1, method: "GET", path: "/api/me" });
  expect(await taken.closed).toBe(4401);
  expect(taken.frames.filter(isA("answer"))).toEqual([]);
  const { token: short } = tokens.create({ name: "short", scopes: ["admin"], days: 1 });
  const expiring = await peerOf(server, short);
  const streaming = await fetch(`${server.url}/api/sessions/${session.id}/events`, {
    headers: { authorization: `Bearer ${short}`, accept: "text/event-stream" },
  });
  now += 25 * 60 * 60 * 1000;
  expect(await expiring.closed).toBe(4401);
  expect(await streaming.text()).toContain("This token is no longer valid.");
  await stream.body?.cancel();
});

test("ends the streams of a removed token, and keeps those of others", async () => {
  const server = await apiServer({ limits: { heartbeatMs: 3_600_000 } });
  const { id } = await server.session();
  const made = [1, 2].map((number) => server.tokens.create({ name: `${number}`, scopes: ["admin"] }));
  const peers = await Promise.all(made.map(({ token }) => peerOf(server, token)));
  const streams = await Promise.all(
    made.map(({ token }) =>
      fetch(`${server.url}/api/sessions/${id}/events`, {
        headers: { authorization: `Bearer ${token}`, accept: "text/event-stream" },
      }),
    ),
  );
  await server.call(`/api/tokens/${made[0]!.id}`, { method: "DELETE" });
  expect(await peers[0]!.closed).toBe(4401);
  expect(await streams[0]!.text()).toContain("This token is no longer valid.");
  peers[1]!.say({ type: "call", id: 1, method: "GET", path: "/api/me" });
  expect(await peers[1]!.until(isA("answer"))).toMatchObject({ status: 200 });
  await server.call(`/api/tokens/${made[1]!.id}`, { method: "DELETE" });
  expect(await streams[1]!.text()).toContain("This token is no longer valid.");
});

test("answers a failed call under its id", async () => {
  const server = await apiServer();
  const peer = await peerOf(server);
  const calls = [
    { id: "a", method: "GET", path: "/api/nothing" },
    { id: "b", method: "POST", path: "/api/sessions", body: { agnet: "demo" } },
    { id: "c", method: "GET", path: "/api/sessions/ses_none" },
    { id: "d", method: "GET", path: "/api/sessions/%ff/events" },
    { id: "e", method: "POST", path: "/api/sessions/%00/turns" },
  ];
  for (const call of calls) peer.say({ type: "call", ...call });
  for (const { id } of calls)
    await peer.until((frame): frame is typeof frame => frame.type === "answer" && frame.id === id);
  const answers = peer.frames.filter(isA("answer")).map(({ id, status }) => [id, status]);
  expect(Object.fromEntries(answers)).toEqual({ a: 404, b: 400, c: 404, d: 404, e: 400 });
});

test("refuses to watch a session that the token may not see, and a position beyond the end", async () => {
  const server = await apiServer();
  const { id } = await server.session();
  const peer = await peerOf(server, server.tokens.create({ name: "elsewhere", scopes: ["read"] }).token);
  peer.say({ type: "watch", session: id, after: 0 });
  expect(await peer.until(isA("error"))).toMatchObject({ session: id, error: { code: "session_not_found" } });
  const own = await peerOf(server);
  own.say({ type: "watch", session: id, after: 1_000_000 });
  expect(await own.until(isA("error"))).toMatchObject({ session: id, error: { code: "invalid_input" } });
});
