import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { fetchPage, isPrivate, isPrivateHost } from "./tools/web.ts";

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const never = new AbortController().signal;

test.each([
  ["127.0.0.1", true],
  ["10.1.2.3", true],
  ["172.31.0.1", true],
  ["192.168.1.1", true],
  ["169.254.169.254", true],
  ["100.64.0.1", true],
  ["0.0.0.0", true],
  ["::1", true],
  ["::", true],
  ["fe80::1", true],
  ["fd00::1", true],
  ["::ffff:127.0.0.1", true],
  ["::ffff:10.0.0.1", true],
  ["8.8.8.8", false],
  ["172.32.0.1", false],
  ["2606:4700::1111", false],
  ["::ffff:8.8.8.8", false],
  ["not an address", false],
])("decides whether %s is of this machine or its own network: %s", (address, expected) => {
  expect(isPrivate(address)).toBe(expected);
});

test("checks the address that a name resolves to", async () => {
  expect(await isPrivateHost("localhost")).toBe(true);
  expect(await isPrivateHost("[::1]")).toBe(true);
  expect(await isPrivateHost("8.8.8.8")).toBe(false);
});

test("fetches a page and follows a redirect on its own host", async () => {
  const url = await serve((request, response) => {
    if (request.url === "/old") return void response.writeHead(302, { location: "/new" }).end();
    response.writeHead(200, { "content-type": "text/html" }).end(`<p>${request.url}</p>`);
  });
  expect(await fetchPage(`${url}/old`, never)).toEqual({
    status: 200,
    type: "text/html",
    body: "<p>/new</p>",
    at: `${url}/new`,
  });
});

test("follows no redirect to another private address, by number or by name", async () => {
  let asked = 0;
  const secret = await serve((_request, response) => void (asked++, response.end("secret")));
  for (const target of [secret, secret.replace("127.0.0.1", "localhost")]) {
    const url = await serve((_request, response) => void response.writeHead(302, { location: target }).end());
    await expect(fetchPage(url, never)).rejects.toThrow(
      /an address of this machine or its own network, which nobody allowed/,
    );
  }
  expect(asked).toBe(0);
});

test.each([
  ["file:///etc/passwd", /redirects to an address that is not http or https/],
  ["http://[broken", /redirects to an invalid address/],
])("follows no redirect to %s", async (location, sentence) => {
  const url = await serve((_request, response) => void response.writeHead(302, { location }).end());
  await expect(fetchPage(url, never)).rejects.toThrow(sentence);
});

test("stops at circular redirects", async () => {
  const url = await serve((_request, response) => void response.writeHead(302, { location: "/" }).end());
  await expect(fetchPage(url, never)).rejects.toThrow(/more than 5 times/);
});

test("cuts an endless page, and rejects content that is not text", async () => {
  const endless = await serve((_request, response) => {
    const more = (): void =>
      void (response.write("x".repeat(65_536)) ? setImmediate(more) : response.once("drain", more));
    more();
  });
  expect((await fetchPage(endless, never)).body.length).toBeGreaterThan(2_000_000);
  const binary = await serve((_request, response) => void response.end(Buffer.from([1, 0, 2])));
  await expect(fetchPage(binary, never)).rejects.toThrow("It is not text.");
});

test("explains an unreachable host in a sentence, and ends the wait on a cancel", async () => {
  await expect(fetchPage("http://127.0.0.1:1/", never)).rejects.toThrow(/^127\.0\.0\.1:1 cannot be reached/);
  const silent = await serve(() => {});
  const abort = new AbortController();
  const fetched = fetchPage(silent, abort.signal);
  setImmediate(() => abort.abort());
  await expect(fetched).rejects.toThrow(/abort/);
});
