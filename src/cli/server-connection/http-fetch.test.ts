import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { httpFetch } from "./http.ts";

test("does not wait for the answer when leaving, and the whole request arrives", async () => {
  const asked = Promise.withResolvers<IncomingMessage>();
  // A server that never answers.
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

test("rejects when leaving and nobody listens", async () => {
  const init = { method: "POST", headers: {}, body: "{}", leaving: true };
  await expect(httpFetch("http://127.0.0.1:9/close", init)).rejects.toThrow("ECONNREFUSED");
});

test("closes an idle connection before the server does, so that no request is lost", async () => {
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
