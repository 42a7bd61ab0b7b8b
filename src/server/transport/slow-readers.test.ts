/** A reader that takes no data is cut off with a reason and can resume from its seq; other readers are not affected. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { apiServer, streamed, type TestServer } from "../../../test/support/api-server.ts";
import { keepLarge } from "../../../test/support/large-session.ts";
import { rawRequest } from "../../../test/support/raw-request.ts";
import { isA, peerOf } from "../../../test/support/socket-peer.ts";
import type { ReinsEvent } from "../../events/types.ts";

const id = "ses_large";
const limits = { slowMs: 1000, fullBytes: 100_000 };
const upTo = (last: number): number[] => Array.from({ length: last }, (_none, index) => index + 1);

async function seqsFrom(server: TestServer, after: number, last: number): Promise<number[]> {
  const leaving = new AbortController();
  const seen: number[] = [];
  for await (const events of streamed(server.url, server.tokens.own, id, after, leaving.signal)) {
    seen.push(...events.map(({ seq }) => seq));
    if (seen.at(-1) === last) break;
  }
  leaving.abort();
  return seen;
}

async function untilCut(server: TestServer, times: number): Promise<void> {
  for (;;) {
    const { body } = await server.call<string>("/metrics");
    if (body.includes(`reins_readers_cut_total ${times}\n`)) return;
  }
}

/** Parses the seqs and the cut from a stream of server-sent events. */
function read(text: string): { seqs: number[]; cut: { reason: string; after: number } | undefined } {
  const lines = [...text.matchAll(/event: (\w+)\ndata: (.*)\n/g)];
  const seqs = lines
    .filter(([, event]) => event === "events")
    .flatMap(([, , data = ""]) => (JSON.parse(data) as ReinsEvent[]).map(({ seq }) => seq));
  const cut = lines.find(([, event]) => event === "cut")?.[2];
  return { seqs, cut: cut === undefined ? undefined : (JSON.parse(cut) as { reason: string; after: number }) };
}

/** Requests a stream and reads nothing. */
function notReading({ port, tokens }: TestServer): Socket {
  const socket = connect(port, "127.0.0.1").setEncoding("utf8").pause();
  onTestFinished(() => void socket.destroy());
  socket.write(
    `GET /api/sessions/${id}/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: text/event-stream\r\n` +
      `Authorization: Bearer ${tokens.own}\r\n\r\n`,
  );
  return socket;
}

test("cuts off a slow reader of server-sent events", async () => {
  const server = await apiServer({ limits });
  const last = keepLarge(server.store, id, server.cwd, 8);
  const socket = notReading(server);
  expect(await seqsFrom(server, 0, last)).toEqual(upTo(last));
  await untilCut(server, 1);
  // The client sees the cut when it reads again.
  let text = "";
  const ended = new Promise((resolve) =>
    socket.on("data", (part: string) => {
      text += part;
      if (part.endsWith("0\r\n\r\n")) resolve(undefined);
    }),
  );
  socket.resume();
  await ended;
  // Without the chunk sizes of HTTP.
  const { seqs, cut } = read(text.replaceAll(/\r\n[0-9a-f]+\r\n/g, ""));
  expect(cut).toEqual({ reason: "This reader was too slow.", after: seqs.at(-1) });
  expect(seqs.length).toBeLessThan(last);
  expect([...seqs, ...(await seqsFrom(server, cut!.after, last))]).toEqual(upTo(last));
});

test("cuts off a slow reader on a WebSocket", async () => {
  const server = await apiServer({ limits });
  const last = keepLarge(server.store, id, server.cwd, 8);
  const [slow, quick] = [await peerOf(server), await peerOf(server)];
  slow.say({ type: "watch", session: id, after: 0 });
  slow.socket.pause();
  quick.say({ type: "watch", session: id, after: 0 });
  await quick.until((frame): frame is typeof frame => frame.type === "events" && frame.events.at(-1)?.seq === last);
  expect(quick.seqs).toEqual(upTo(last));
  await untilCut(server, 1);
  slow.socket.resume();
  const { after, reason } = await slow.until(isA("cut"));
  expect([reason, slow.seqs]).toEqual(["This reader was too slow.", upTo(after)]);
  expect(after).toBeLessThan(last);
  slow.frames.length = 0;
  // The same socket can watch again.
  slow.say({ type: "watch", session: id, after });
  await slow.until((frame): frame is typeof frame => frame.type === "events" && frame.events.at(-1)?.seq === last);
  expect(slow.seqs).toEqual(upTo(last).slice(after));
});

test("disconnects a reader of server-sent events that never reads again, and frees its connection", async () => {
  const server = await apiServer({ limits: { ...limits, heartbeatMs: 50, connections: 1 } });
  keepLarge(server.store, id, server.cwd, 8);
  await once(notReading(server), "connect");
  const another = async (): Promise<number> => (await rawRequest(server.port, "/health")).status;
  expect(await another()).toBe(429);
  for (let free = false; !free;) free = (await another()) === 200;
  await untilCut(server, 1);
});

test("disconnects a WebSocket that never reads again, and frees its place", async () => {
  const server = await apiServer({ limits: { ...limits, heartbeatMs: 50 } });
  keepLarge(server.store, id, server.cwd, 8);
  const peer = await peerOf(server);
  peer.say({ type: "watch", session: id, after: 0 });
  peer.socket.pause();
  for (let there = true; there;) there = !(await server.call<string>("/metrics")).body.includes("reins_readers 0\n");
});

test("disconnects a client that requests much and reads nothing, without serializing the rest", async () => {
  const server = await apiServer({ limits: { ...limits, heartbeatMs: 3_600_000 } });
  keepLarge(server.store, id, server.cwd, 8);
  const [greedy, quick] = [await peerOf(server), await peerOf(server)];
  greedy.socket.pause();
  const path = `/api/sessions/${id}/export?format=jsonl`;
  for (const call of upTo(20)) greedy.say({ type: "call", id: call, method: "GET", path });
  for (const call of upTo(5)) quick.say({ type: "call", id: call, method: "GET", path });
  await quick.until((frame): frame is typeof frame => frame.type === "answer" && frame.id === 5);
  await untilCut(server, 1);
  greedy.socket.resume();
  expect(await greedy.closed).toBe(1006);
  expect(greedy.frames.filter(isA("answer")).length).toBeLessThan(3);
});
