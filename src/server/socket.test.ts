import { expect, test } from "vitest";
import { apiServer } from "../../test/support/api-server.ts";
import { isA, Peer, peerOf } from "../../test/support/socket-peer.ts";
import type { ServerFrame } from "./schemas/socket.ts";

test("calls, watches and the changes of the list over one socket", async () => {
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

test("garbage is answered, and nothing is lost by it", async () => {
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

test("nobody who does not say who they are is let in", async () => {
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
