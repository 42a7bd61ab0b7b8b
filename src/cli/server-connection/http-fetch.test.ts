import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { httpFetch } from "./http.ts";

test("who leaves does not wait for the answer, and all of what was said arrives", async () => {
  const asked = Promise.withResolvers<IncomingMessage>();
  // It answers nobody.
  const server = createServer((request) => asked.resolve(request)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const body = JSON.stringify({ text: "ü".repeat(100_000) });
  const init = { method: "POST", headers: { "content-type": "application/json" }, body, leaving: true };
  const answer = await httpFetch(`http://127.0.0.1:${port}/close`, init);
  expect(await answer.json()).toEqual({});
  const request = await asked.promise;
  expect((await request.setEncoding("utf8").toArray()).join("")).toBe(body);
  server.closeAllConnections();
  server.close();
});

test("where nobody listens, who leaves hears of it", async () => {
  const init = { method: "POST", headers: {}, body: "{}", leaving: true };
  await expect(httpFetch("http://127.0.0.1:9/close", init)).rejects.toThrow("ECONNREFUSED");
});

test("a connection that rests is let go before the server does: what is said in between would be lost", async () => {
  const server = createServer({ keepAliveTimeout: 2_000 }, (_request, response) => response.end("{}"));
  const whoEnds = new Promise((resolve) => {
    server.on("connection", (socket) =>
      socket.on("end", () => resolve("client")).on("timeout", () => resolve("server")),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  await httpFetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  expect(await whoEnds).toBe("client");
  server.close();
});
