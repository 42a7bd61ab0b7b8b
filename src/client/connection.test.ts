import { afterEach, expect, test, vi } from "vitest";
import type { ReinsEvent } from "../events/types.ts";
import { Connection, type ConnectionOptions, type SocketLike } from "./connection.ts";
import { ReconnectDelay } from "./reconnect-delay.ts";
import { EventStream } from "./stream.ts";

/** A scripted server end of the WebSocket. */
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

  /** Opens the socket and accepts the client. */
  ready(): this {
    this.happens("open");
    this.happens("message", { type: "ready" });
    return this;
  }

  events(...seqs: readonly number[]): void {
    this.happens("message", { type: "events", session: "s", events: seqs.map((seq) => ({ seq, type: "notice" })) });
  }
}

afterEach(() => void vi.useRealTimers());

function reader(options: Partial<ConnectionOptions> = {}): {
  connection: Connection;
  stream: EventStream;
  peer: Peer;
  learnt: number[];
} {
  Peer.all = [];
  const connection = new Connection({
    url: "http://x",
    token: "secret",
    WebSocket: Peer,
    patienceMs: 60_000,
    ...options,
  });
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

test("authenticates in a frame and not in the URL, then watches", () => {
  const { peer } = reader();
  peer.ready();
  expect(peer.url).toBe("ws://x/ws");
  expect(peer.said).toEqual([
    { type: "hello", token: "secret" },
    { type: "watch", session: "s", after: 0 },
  ]);
});

test("continues after its last event when the server cut it off", async () => {
  const { peer, stream, learnt } = reader();
  peer.ready().events(1, 2, 3);
  peer.happens("message", { type: "cut", session: "s", reason: "This reader was too slow.", after: 3 });
  expect(peer.said.at(-1)).toEqual({ type: "watch", session: "s", after: 3 });
  peer.events(4, 5);
  expect(await first(5, stream.read(0))).toEqual([1, 2, 3, 4, 5]);
  expect(learnt).toEqual([1, 2, 3, 4, 5]);
});

test("ignores repeated events and asks again for a gap", async () => {
  const { peer, stream } = reader();
  peer.ready().events(1, 2);
  peer.events(2, 3);
  peer.events(6, 7);
  expect(peer.said.at(-1)).toEqual({ type: "watch", session: "s", after: 3 });
  peer.events(4, 5, 6, 7);
  expect(await first(7, stream.read(0))).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test("tells readers about an unreachable server or a removed session, and a new reader retries", async () => {
  const { peer, stream } = reader({ patienceMs: 0 });
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

test("stops without a retry when the token is refused", async () => {
  const { peer, stream } = reader();
  const reading = first(1, stream.read(0));
  peer.happens("open");
  peer.happens("message", { type: "error", error: { code: "not_authenticated", message: "No." } });
  peer.happens("close");
  await expect(reading).rejects.toMatchObject({ code: "not_authenticated" });
  expect(Peer.all).toHaveLength(1);
});

test("closes a socket that nothing needs", () => {
  const { peer, connection, stream } = reader();
  peer.ready();
  connection.unwatch("s", stream);
  expect(peer.said.at(-1)).toBe("closed");
});

test("continues readers and list listeners after a reconnect", async () => {
  vi.useFakeTimers();
  const { peer, stream, connection } = reader();
  const told: string[] = [];
  connection.watchAll({
    onConnected: () => told.push("connected"),
    onLost: () => told.push("lost"),
    onSession: ({ id }) => told.push(id),
    onRemoved: (id) => told.push(`-${id}`),
  });
  peer.ready().events(1, 2);
  expect(peer.said).toContainEqual({ type: "watch-all" });
  peer.happens("message", { type: "session", session: { id: "s" } });
  peer.happens("message", { type: "removed", session: "s" });
  peer.happens("close");
  await vi.runAllTimersAsync();
  expect(Peer.all).toHaveLength(2);
  Peer.all[1]!.ready().events(3);
  expect(Peer.all[1]!.said.slice(1)).toEqual([{ type: "watch-all" }, { type: "watch", session: "s", after: 2 }]);
  expect(await first(3, stream.read(0))).toEqual([1, 2, 3]);
  expect(told).toEqual(["connected", "s", "-s", "lost", "connected"]);
});

test("does not retry and tells readers when a retry is pointless", async () => {
  vi.useFakeTimers();
  const { peer, stream } = reader({ mayRetry: async () => false });
  const reading = first(1, stream.read(0)).catch((thrown: unknown) => thrown);
  await Promise.resolve();
  peer.happens("close");
  await vi.runAllTimersAsync();
  expect(await reading).toMatchObject({ code: "network" });
  expect(Peer.all).toHaveLength(1);
});

test("hurry connects without waiting for the next attempt", async () => {
  vi.useFakeTimers();
  const { peer, connection } = reader({ mayRetry: async () => true });
  peer.ready().happens("close");
  await vi.advanceTimersByTimeAsync(0);
  expect(Peer.all).toHaveLength(1);
  connection.hurry();
  await vi.advanceTimersByTimeAsync(0);
  expect(Peer.all).toHaveLength(2);
});

test("does not reconnect after close until something is watched, then continues all watchers", async () => {
  vi.useFakeTimers();
  const { peer, connection } = reader();
  peer.ready().events(1, 2);
  connection.close();
  peer.happens("close");
  await vi.runAllTimersAsync();
  expect([Peer.all.length, peer.said.at(-1)]).toEqual([1, "closed"]);
  connection.watchAll({});
  Peer.all[1]!.ready();
  expect(Peer.all[1]!.said).toContainEqual({ type: "watch", session: "s", after: 2 });
});

test("has one socket when it is closed and used again while it waits", async () => {
  vi.useFakeTimers();
  const { peer, connection, stream } = reader();
  peer.ready().happens("close");
  await vi.advanceTimersByTimeAsync(0);
  connection.close();
  connection.watch("s", stream);
  await vi.runAllTimersAsync();
  expect(Peer.all).toHaveLength(2);
});

test("retries with growing, random and limited delays", async () => {
  const pauses = vi.spyOn(globalThis, "setTimeout");
  vi.useFakeTimers({ toFake: ["clearTimeout", "performance"] });
  const pausesWith = async (chance: number): Promise<number[]> => {
    vi.spyOn(Math, "random").mockReturnValue(chance);
    pauses.mockReset().mockImplementation(((done: () => void) => done()) as unknown as typeof setTimeout);
    const delay = new ReconnectDelay(Number.POSITIVE_INFINITY, 8_000);
    for (let round = 0; round < 20; round++) expect(await delay.wait()).toBe(true);
    return pauses.mock.calls.map(([, ms]) => ms!);
  };
  const [soon, late] = [await pausesWith(0), await pausesWith(1)];
  vi.restoreAllMocks();
  expect([late[0], late[3]! > late[0]!, late.at(-1)]).toEqual([20, true, 8_000]);
  expect(soon[2]).toBeLessThan(late[2]!);
});

test("gives two watchers of one session all events, and removes them one by one", () => {
  const { connection, stream, peer, learnt } = reader();
  peer.ready();
  peer.events(1, 2);
  const second: number[] = [];
  const late = new EventStream({
    after: 1,
    earlier: async () => [],
    learn: ({ seq }) => second.push(seq),
    revive: () => undefined,
  });
  connection.watch("s", late);
  expect(peer.said.at(-1)).toEqual({ type: "watch", session: "s", after: 1 });
  peer.events(2, 3);
  expect([learnt, second]).toEqual([
    [1, 2, 3],
    [2, 3],
  ]);

  connection.unwatch("s", stream);
  expect(peer.said.at(-1)).toMatchObject({ type: "watch" });
  peer.events(4);
  expect([learnt.at(-1), second.at(-1)]).toEqual([3, 4]);
  connection.watch("other", stream);
  connection.unwatch("s", late);
  expect(peer.said.at(-1)).toEqual({ type: "unwatch", session: "s" });
});
