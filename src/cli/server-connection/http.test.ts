import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { readBody, request } from "./http.ts";

/** Answers each request with the next of these. `asked` has the requests of each connection, `closed` resolves when it is over. */
async function server(...answers: readonly ((socket: Socket) => unknown)[]) {
  const asked: string[] = [];
  const closed: Promise<unknown>[] = [];
  const left = [...answers];
  const listening = createServer((socket) => {
    const at = asked.push("") - 1;
    closed.push(once(socket, "close"));
    socket
      .on("error", () => undefined)
      .on("data", (bytes) => {
        asked[at] += bytes.toString();
        if (asked[at]!.endsWith("\r\n\r\n")) left.shift()?.(socket);
      });
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void listening.close());
  await once(listening, "listening");
  return { url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}`, asked, closed };
}

const says = (text: string) => (socket: Socket) => socket.write(text);
const plain = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
const chunked =
  "HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nA;x=y\r\n, world\r\n!\r\n0\r\n\r\n";

async function text(url: string): Promise<string> {
  return (await readBody(await request(url))).toString();
}

test("reads an answer in one piece, in chunks, and byte by byte", async () => {
  const bitByBit = async (socket: Socket): Promise<void> => {
    for (const byte of Buffer.from(chunked)) {
      socket.write(Buffer.from([byte]));
      await setImmediate();
    }
  };
  const { url } = await server(says(plain), says(chunked), bitByBit);
  expect(await text(url)).toBe("hello");
  const answer = await request(`${url}/x?y=z`);
  expect([answer.status, (await readBody(answer)).toString()]).toEqual([404, "hello, world\r\n!"]);
  expect(await text(url)).toBe("hello, world\r\n!");
});

test("reuses a connection unless the server closes it or the answer was not read", async () => {
  const { url, asked, closed } = await server(
    says(plain),
    says(plain),
    says("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"),
    says(plain),
    (socket) => socket.end(plain),
    says(plain),
  );
  for (const path of ["/1", "/2", "/3"]) await text(url + path);
  (await request(`${url}/4`)).destroy();
  await text(`${url}/5`);
  // The server's end closes after the client's end.
  await closed[2];
  await text(`${url}/6`);
  expect(asked.map((said) => [...said.matchAll(/GET (\S+)/g)].map(([, path]) => path))).toEqual([
    ["/1", "/2", "/3"],
    ["/4"],
    ["/5"],
    ["/6"],
  ]);
});

test("rejects a cut answer and an answer that is not HTTP", async () => {
  const { url } = await server(
    (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel"),
    (socket) => socket.end("HTTP/1.1 200 OK\r\n"),
    says("SSH-2.0-x\r\n"),
    says("x".repeat(100_000)),
    says("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n"),
  );
  for (let count = 0; count < 2; count++) await expect(text(url)).rejects.toThrow("The connection was cut.");
  for (let count = 0; count < 3; count++) await expect(text(url)).rejects.toThrow("The server's answer is not HTTP.");
  await expect(text("http://127.0.0.1:9")).rejects.toThrow("ECONNREFUSED");
});
