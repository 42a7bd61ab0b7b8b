import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ReinsEvent } from "../../events/types.ts";
import { LiveSocket } from "./socket.ts";

class FakeSocket extends EventTarget {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 0;
  readonly sent: unknown[] = [];
  constructor() {
    super();
    FakeSocket.all.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  open(): void {
    this.readyState = 1;
    this.dispatchEvent(new Event("open"));
    this.say({ type: "ready" });
  }
  say(frame: object): void {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(frame) }));
  }
  close(): void {
    this.readyState = 3;
    this.dispatchEvent(new Event("close"));
  }
}

const latest = (): FakeSocket => FakeSocket.all.at(-1)!;

beforeEach(() => {
  FakeSocket.all = [];
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function watching(socket: LiveSocket): number[] {
  const seen: number[] = [];
  socket.watch("s", {
    after: () => seen.at(-1) ?? 0,
    onEvents: (events: readonly ReinsEvent[]) => seen.push(...events.map(({ seq }) => seq)),
    onError: () => {},
  });
  return seen;
}

test("a reader goes on where it was when the connection comes back", async () => {
  const socket = new LiveSocket("ws://x/ws", async () => true);
  const seen = watching(socket);
  socket.start();
  latest().open();
  expect(latest().sent).toEqual([{ type: "hello" }, { type: "watch-all" }, { type: "watch", session: "s", after: 0 }]);
  latest().say({ type: "events", session: "s", events: [{ seq: 1 }, { seq: 2 }] });
  latest().close();
  expect(socket.connection.get()).toBe("lost");
  await vi.runAllTimersAsync();
  expect(FakeSocket.all).toHaveLength(2);
  latest().open();
  expect(latest().sent).toContainEqual({ type: "watch", session: "s", after: 2 });
  expect([seen, socket.connection.get()]).toEqual([[1, 2], "connected"]);
});

test("one that was cut off asks again at once", () => {
  const socket = new LiveSocket("ws://x/ws", async () => true);
  watching(socket);
  socket.start();
  latest().open();
  latest().say({ type: "events", session: "s", events: [{ seq: 7 }] });
  latest().say({ type: "cut", session: "s", reason: "slow", after: 7 });
  expect(latest().sent.at(-1)).toEqual({ type: "watch", session: "s", after: 7 });
});

test("where trying again makes no sense it is not tried", async () => {
  const socket = new LiveSocket("ws://x/ws", async () => false);
  socket.start();
  latest().close();
  await vi.runAllTimersAsync();
  expect(FakeSocket.all).toHaveLength(1);
});

test("a person who looks again does not wait for the next try", async () => {
  const socket = new LiveSocket("ws://x/ws", async () => true);
  socket.start();
  latest().open();
  latest().close();
  await vi.advanceTimersByTimeAsync(0);
  expect(FakeSocket.all).toHaveLength(1);
  socket.hurry();
  expect(FakeSocket.all).toHaveLength(2);
});

test("one that was stopped is not tried again, until it is started again", async () => {
  const socket = new LiveSocket("ws://x/ws", async () => true);
  watching(socket);
  socket.start();
  latest().open();
  const first = latest();
  socket.stop();
  expect(first.readyState).toBe(3);
  await vi.runAllTimersAsync();
  expect(FakeSocket.all).toHaveLength(1);
  socket.start();
  latest().open();
  expect(latest().sent).toContainEqual({ type: "watch", session: "s", after: 0 });
});
