/** Above each limit, new clients get an error, and existing clients lose nothing. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { apiServer } from "../../../test/support/api-server.ts";
import { Peer, isA, peerOf } from "../../../test/support/socket-peer.ts";

/** Opens a connection that stays open, and returns its first answer. */
function connection(port: number, token: string): Promise<{ socket: Socket; answer: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1").setEncoding("utf8").on("error", reject);
    onTestFinished(() => void socket.destroy());
    socket.once("data", (answer: Buffer | string) => resolve({ socket, answer: String(answer) }));
    socket.write(`GET /api/me HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  });
}

test("refuses connections above the limit with 429, and frees their places", async () => {
  const { port, tokens } = await apiServer({ limits: { connections: 10 } });
  const first: Socket[] = [];
  for (let count = 0; count < 10; count++) {
    const { socket, answer } = await connection(port, tokens.own);
    expect(answer).toMatch(/^HTTP\/1.1 200/);
    first.push(socket);
  }
  for (const { answer } of await Promise.all(Array.from({ length: 50 }, () => connection(port, tokens.own)))) {
    expect(answer).toMatch(/^HTTP\/1.1 429 [^]*connection: close/i);
    expect(JSON.parse(answer.slice(answer.indexOf("{"), answer.lastIndexOf("}") + 1))).toEqual({
      error: {
        code: "rate_limited",
        message: "There are 10 connections already; close one first.",
        retryable: true,
      },
    });
  }
  const again = new Promise((resolve) => first[0]!.once("data", resolve));
  first[0]!.write(`GET /health HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  expect(String(await again)).toMatch(/^HTTP\/1.1 200/);
  first[1]!.destroy();
  for (let free = false; !free;) free = (await connection(port, tokens.own)).answer.startsWith("HTTP/1.1 200");
});

test("refuses streams and WebSockets above the limit with 429, and frees a place when one leaves", async () => {
  const server = await apiServer({ limits: { streams: 3 } });
  const { id } = await server.session();
  const leaving = new AbortController();
  const open = (): Promise<Response> =>
    fetch(`${server.url}/api/sessions/${id}/events`, {
      headers: { authorization: `Bearer ${server.tokens.own}`, accept: "text/event-stream" },
      signal: leaving.signal,
    });
  const answers = await Promise.all(Array.from({ length: 53 }, open));
  const refused = answers.filter(({ status }) => status === 429);
  expect([answers.filter(({ status }) => status === 200).length, refused.length]).toEqual([3, 50]);
  expect(await refused[0]!.json()).toMatchObject({ error: { code: "rate_limited" } });
  expect(refused[0]!.headers.get("retry-after")).toBe("60");
  await expect(peerOf(server)).rejects.toThrow("429");
  leaving.abort();
  for (let peer: Peer | undefined; peer === undefined;) peer = await peerOf(server).catch(() => undefined);
});

test("limits unauthenticated WebSockets, and frees the place of one that authenticates", async () => {
  const server = await apiServer({ limits: { strangers: 1 } });
  const stranger = await new Peer(server).open();
  await expect(new Peer(server).open()).rejects.toThrow("429");
  await peerOf(server);
  stranger.say({ type: "hello", token: server.tokens.own });
  await stranger.until(isA("ready"));
  await new Peer(server).open();
});

test("closes a WebSocket that does not authenticate in time", async () => {
  const server = await apiServer({ limits: { helloMs: 10 } });
  expect(await (await new Peer(server).open()).closed).toBe(4401);
});

test("limits the watched sessions and pending calls of one WebSocket", async () => {
  const server = await apiServer({ limits: { watched: 2, calls: 1 } });
  const peer = await peerOf(server);
  const [one, two, three] = [await server.session(), await server.session(), await server.session()];
  for (const { id } of [one, two, three]) peer.say({ type: "watch", session: id, after: 0 });
  const error = await peer.until(isA("error"));
  expect(error).toMatchObject({ session: three.id, error: { code: "rate_limited" } });
  for (const id of [1, 2]) peer.say({ type: "call", id, method: "GET", path: "/api/me" });
  await peer.until((frame): frame is typeof frame => frame.type === "answer" && frame.id === 1);
  const answers = peer.frames.filter(isA("answer"));
  expect(answers.map(({ id, status }) => [id, status])).toEqual([
    [2, 429],
    [1, 200],
  ]);
});

test("closes a silent connection", async () => {
  const { port } = await apiServer({ limits: { helloMs: 50 } });
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  await once(socket, "close");
  expect(socket.bytesRead).toBe(0);
});

test("limits what an unauthenticated client may send", async () => {
  // Long enough for a busy machine, because this test is about size, not time.
  const server = await apiServer({ limits: { helloMs: 60_000 } });
  const peer = await new Peer(server).open();
  // The server does not wait for all of it just to answer that it is not JSON.
  peer.socket.send("x".repeat(4 * 1024 * 1024), () => undefined);
  expect(await peer.closed).toBe(1006);
  const known = await new Peer(server).open();
  known.say({ type: "hello", token: server.tokens.own });
  const body = { tool: "shell", input: "x".repeat(1024 * 1024) };
  known.say({ type: "call", id: 1, method: "POST", path: "/api/policy/test", body });
  expect(await known.until(isA("answer"))).toMatchObject({ status: 200 });
  const login = await server.call("/api/login", { token: "", body: { token: "x".repeat(20_000) } });
  expect([login.status, login.body.error.message]).toEqual([413, "The body is larger than 16 kB."]);
});
