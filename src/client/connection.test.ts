import { expect, test } from "vitest";
import type { ReinsEvent } from "../events/types.ts";
import { Connection } from "./connection.ts";
import type { SocketLike } from "./connection.ts";
import { EventStream } from "./stream.ts";

/** The server's end, by hand. */
class Peer implements SocketLike {
  static all: Peer[] = [];
  readonly url: string;
  readonly said: unknown[] = [];
  readonly #listeners: Record<string, (event: { data: unknown }) => void> = {};

  constructor(url: string) {
    this.url = url;
    Peer.all.push(this);
  }

  addEventListener(type: string, listener: (event: { readonly data: unknown }) => void): void {
    this.#listeners[type] = listener;
  }

  send(text: string): void {
    this.said.push(JSON.parse(text));
  }

  close(): void {
    this.said.push("closed");
  }

  happens(type: "open" | "close" | "message", frame?: object): void {
    this.#listeners[type]?.({ data: JSON.stringify(frame) });
  }

  ready(): this {
    this.happens("open");
    this.happens("message", { type: "ready" });
    return this;
  }

  events(...seqs: readonly number[]): void {
    this.happens("message", { type: "events", session: "s", events: seqs.map((seq) => ({ seq, type: "notice" })) });
  }
}

function reader(patienceMs = 60_000): {
  connection: Connection;
  stream: EventStream;
  peer: Peer;
  learnt: number[];
} {
  Peer.all = [];
  const connection = new Connection({ url: "http://x", token: "secret", WebSocket: Peer, patienceMs });
  const learnt: number[] = [];
  const stream = new EventStream({
    after: 0,
    earlier: async () => [],
    learn: ({ seq }) => learnt.push(seq),
    revive: () => connection.watch("s", stream),
  });
  connection.watch("s", stream);
  return { connection, stream, peer: Peer.all[0]!, learnt };
}

async function first(count: number, events: AsyncIterable<ReinsEvent>): Promise<number[]> {
  const seen: number[] = [];
  for await (const { seq } of events) if (seen.push(seq) === count) break;
  return seen;
}

test("it says who it is in a frame, not in the address, and then what it watches", () => {
  const { peer } = reader();
  peer.ready();
  expect(peer.url).toBe("ws://x/ws");
  expect(peer.said).toEqual([
    { type: "hello", token: "secret" },
    { type: "watch", session: "s", after: 0 },
  ]);
});

test("one that the server cut off goes on after the last that it has", async () => {
  const { peer, stream, learnt } = reader();
  peer.ready().events(1, 2, 3);
  peer.happens("message", { type: "cut", session: "s", reason: "This reader was too slow.", after: 3 });
  expect(peer.said.at(-1)).toEqual({ type: "watch", session: "s", after: 3 });
  peer.events(4, 5);
  expect(await first(5, stream.read(0))).toEqual([1, 2, 3, 4, 5]);
  expect(learnt).toEqual([1, 2, 3, 4, 5]);
});

test("what comes twice counts once, and a gap is asked for again", async () => {
  const { peer, stream } = reader();
  peer.ready().events(1, 2);
  peer.events(2, 3);
  peer.events(6, 7);
  expect(peer.said.at(-1)).toEqual({ type: "watch", session: "s", after: 3 });
  peer.events(4, 5, 6, 7);
  expect(await first(7, stream.read(0))).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test("whoever reads is told when the server stays away, and when a session is no more; the next who reads tries again", async () => {
  const { peer, stream } = reader(0);
  peer.ready().events(1);
  const lost = first(2, stream.read(0));
  await Promise.resolve();
  peer.happens("close");
  await expect(lost).rejects.toMatchObject({ code: "network" });
  const again = first(2, stream.read(0));
  Peer.all[1]!.ready().events(2);
  expect(Peer.all[1]!.said.at(-1)).toEqual({ type: "watch", session: "s", after: 1 });
  expect(await again).toEqual([1, 2]);
  const error = { code: "session_not_found", message: "There is no session s." };
  const removed = first(3, stream.read(0));
  await Promise.resolve();
  Peer.all[1]!.happens("message", { type: "error", session: "s", error });
  await expect(removed).rejects.toMatchObject(error);
});

test("a token that is refused ends it, and nobody tries again", async () => {
  const { peer, stream } = reader();
  const reading = first(1, stream.read(0));
  peer.happens("open");
  peer.happens("message", { type: "error", error: { code: "not_authenticated", message: "No." } });
  peer.happens("close");
  await expect(reading).rejects.toMatchObject({ code: "not_authenticated" });
  expect(Peer.all).toHaveLength(1);
});

test("a socket that nobody needs is closed", () => {
  const { peer, connection } = reader();
  peer.ready();
  connection.unwatch("s");
  expect(peer.said.at(-1)).toBe("closed");
});
