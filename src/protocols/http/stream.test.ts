import type { ServerResponse } from "node:http";
import { expect, test, vi } from "vitest";
import { plainFailures } from "../../../test/support/plain-failures.ts";
import { nobodyThere, serve, type Handler } from "../../../test/support/http-server.ts";
import { httpRefusalOf } from "./errors.ts";
import { openStream, streamOnce, type StreamBatch, type StreamOptions } from "./stream.ts";

const { ending: classify } = plainFailures("some", { statuses: { 404: "protocol_error" } });

function open(url: string, more: Partial<StreamOptions> = {}) {
  const ended = new AbortController();
  const stream = openStream({
    url,
    path: "/event",
    name: "Some Agent",
    agent: "some",
    classify,
    maxBytes: 1_000,
    silenceMs: 60_000,
    firstWaitMs: 1,
    signal: ended.signal,
    ...more,
  });
  return { stream, end: () => ended.abort() };
}

/** Serves a stream. Each connection uses the next handler; the last handler serves all further connections. */
async function streaming(...handlers: ((response: ServerResponse, lastId: string) => void)[]): Promise<string> {
  let count = 0;
  const handler: Handler = ({ headers }, response) => {
    const handle = handlers[Math.min(count++, handlers.length - 1)]!;
    handle(response, String(headers["last-event-id"] ?? ""));
  };
  return serve(handler);
}

const say = (response: ServerResponse, text: string) => {
  if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(text);
};

/** Reads event data, with a marker at each connection. */
async function take(stream: AsyncGenerator<StreamBatch>, count: number): Promise<string[]> {
  const said: string[] = [];
  while (said.length < count) {
    const step = await stream.next();
    if (step.done === true) break;
    if (step.value.connected !== undefined) said.push(`(${step.value.connected})`);
    said.push(...step.value.events.map(({ data }) => data));
  }
  return said;
}

test("yields events as they arrive", async () => {
  const url = await streaming((response) => say(response, "data: a\n\ndata: b\n\n"));
  const { stream, end } = open(url);
  expect(await take(stream, 3)).toEqual(["(first)", "a", "b"]);
  end();
  expect((await stream.next()).done).toBe(true);
});

test("reconnects after a lost connection and sends the last event id", async () => {
  const url = await streaming(
    (response) => {
      say(response, "id: 5\ndata: a\n\n");
      response.end();
    },
    (response) => response.writeHead(500).end(),
    (response, lastId) => {
      say(response, `data: after ${lastId}\n\ndata: cut o`);
      setImmediate(() => response.destroy());
    },
    (response, lastId) => say(response, `data: still after ${lastId}\n\n`),
  );
  const { stream, end } = open(url);
  expect(await take(stream, 6)).toEqual(["(first)", "a", "(again)", "after 5", "(again)", "still after 5"]);
  end();
});

test("treats a silent connection as lost", async () => {
  const url = await streaming(
    (response) => say(response, ": hello\n\n"),
    (response) => say(response, "data: a\n\n"),
  );
  const { stream, end } = open(url, { silenceMs: 40 });
  expect((await take(stream, 3)).slice(0, 3)).toEqual(["(first)", "(again)", "a"]);
  end();
});

test("throws when the server is unreachable or refuses", async () => {
  await expect(take(open(await nobodyThere(), { tries: 2 }).stream, 1)).rejects.toMatchObject({ code: "network" });
  const broken = await streaming((response) => response.writeHead(500).end());
  await expect(take(open(broken, { tries: 0 }).stream, 1)).rejects.toThrow(
    "could not be reached for /event: status 500.",
  );
  const url = await streaming((response) => response.writeHead(401).end());
  await expect(take(open(url).stream, 1)).rejects.toMatchObject({ code: "not_authenticated" });
});

test("reads no further while the consumer does not pull", async () => {
  let written = 0;
  const url = await streaming((response) => {
    say(response, "data: first\n\n");
    const line = `data: ${"x".repeat(900)}\n\n`;
    const more = (): void => {
      while (written < 100_000_000 && response.write(line)) written += line.length;
      if (written < 100_000_000) response.once("drain", more);
    };
    more();
  });
  const { stream, end } = open(url);
  await take(stream, 2);
  let before = -1;
  // Two equal readings in a row mean that the server is blocked.
  while (before !== written) {
    before = written;
    for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(written).toBeLessThan(50_000_000);
  end();
});

test("streamOnce resumes after an event, ends with the connection, and reports a break or a refusal", async () => {
  const url = await streaming(
    (response, lastId) => {
      say(response, `id: 6\ndata: after ${lastId}\n\n`);
      response.end();
    },
    (response) => {
      say(response, "data: a\n\n");
      setImmediate(() => response.destroy());
    },
    (response) => response.writeHead(429, { "retry-after": "7" }).end('{"code":"error"}'),
    (response) => response.writeHead(502).end(),
  );
  const ended = new AbortController();
  const options = {
    name: "Some Agent",
    agent: "some",
    classify,
    maxBytes: 1_000,
    silenceMs: 60_000,
    signal: ended.signal,
  };
  const once = (lastId?: string) => streamOnce({ ...options, url, path: "/event", lastId });
  expect(await take(once("5"), 9)).toEqual(["(first)", "after 5"]);
  await expect(take(once(), 9)).rejects.toMatchObject({ code: "network" });
  const refused: unknown = await take(once(), 9).catch((thrown: unknown) => thrown);
  expect(refused).toMatchObject({ code: "rate_limited" });
  expect(httpRefusalOf(refused)).toEqual({ status: 429, body: { code: "error" }, retryAfter: "7" });
  await expect(take(once(), 9)).rejects.toMatchObject({
    code: "network",
    message: expect.stringContaining("502") as string,
  });
  ended.abort();
  expect(await take(once(), 9)).toEqual([]);
});

test("clears the silence timer when the consumer leaves", async () => {
  const url = await streaming((response) => say(response, "data: a\n\n"));
  const set = vi.spyOn(globalThis, "setTimeout");
  const clear = vi.spyOn(globalThis, "clearTimeout");
  const silenceMs = 54_321;
  const { stream, end } = open(url, { silenceMs });
  await take(stream, 2);
  const next = stream.next();
  end();
  await next;
  const clocks = set.mock.results.filter((_clock, index) => set.mock.calls[index]?.[1] === silenceMs);
  expect(clocks.length).toBeGreaterThan(0);
  expect(clear.mock.calls).toEqual(expect.arrayContaining(clocks.map(({ value }) => [value as unknown])));
  vi.restoreAllMocks();
});
