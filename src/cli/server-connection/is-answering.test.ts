import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { isAnswering } from "./http.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A listener that calls `greet` for each connection. */
async function listening(greet: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => greet(socket.on("error", () => undefined))).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const never = new AbortController().signal;

test("is true for a healthy server", async () => {
  let asked = "";
  const url = await listening((socket) =>
    socket.on("data", (bytes) => {
      asked += bytes.toString();
      if (asked.endsWith("\r\n\r\n")) socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
    }),
  );
  expect(await isAnswering(url, never)).toBe(true);
  expect(asked).toBe(`GET /health HTTP/1.1\r\nhost: ${url.slice("http://".length)}\r\n\r\n`);
});

test("is false for another answer, another protocol, a hang-up and a closed port", async () => {
  const busy = await listening((socket) => socket.end("HTTP/1.1 503 Service Unavailable\r\n\r\n"));
  const stranger = await listening((socket) => socket.end("SSH-2.0-x\r\n"));
  const rude = await listening((socket) => socket.destroy());
  expect(await Promise.all([busy, stranger, rude].map((url) => isAnswering(url, never)))).toEqual([
    false,
    false,
    false,
  ]);
  expect(await isAnswering("http://127.0.0.1:9", never)).toBe(false);
});

test("is false when there is no answer before the deadline", async () => {
  const deadline = new AbortController();
  const url = await listening((socket) => socket.on("data", () => deadline.abort()));
  expect(await isAnswering(url, deadline.signal)).toBe(false);
});
