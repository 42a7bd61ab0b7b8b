import { expect, test } from "vitest";
import { plainFailures } from "../../../test/support/plain-failures.ts";
import { nobodyThere, serve } from "../../../test/support/http-server.ts";
import { StandInChild } from "../../../test/support/stand-in-child.ts";
import { mergeLines } from "../../process/output/merged-lines.ts";
import { goneOf, openJsonRpc, refusalOf } from "../json-rpc/index.ts";
import type { AgentEvent } from "../../events/types.ts";
import { HttpChannel } from "./event-lines.ts";

const { ending: classify } = plainFailures("some", { statuses: { 404: "protocol_error" } });

function open(url: string, goneMs = 10) {
  const child = new StandInChild();
  const headers = { authorization: "Basic secret" };
  const who = { name: "Some Agent", agent: "some", classify };
  const beside = new HttpChannel({ ...who, headers, maxBytes: 1_000, longestMs: 5_000, silenceMs: 60_000, goneMs });
  const told: string[] = [];
  const rpc = openJsonRpc({
    ...who,
    child: mergeLines(child, beside),
    requestMs: 5_000,
    drainMs: 10,
    onNotification: (method, params, _message, out) => {
      told.push(`${method} ${JSON.stringify(params)}`);
      out.push({ type: "turn.phase", phase: "model" });
    },
    onRequest: () => {},
    onExit: () => {},
  });
  void rpc.notify("http/connect", { url });
  return { child, beside, rpc, told };
}

test("sends JSON-RPC requests over HTTP, and other messages to the child", async () => {
  const url = await serve(({ method, url: path, headers }, response, body) => {
    if (path === "/nothing") response.writeHead(404).end('{"name":"NotFound"}');
    else if (path === "/empty") response.writeHead(204).end();
    else if (path === "/much") response.end("x".repeat(2_000));
    else response.end(JSON.stringify({ method, body, auth: headers["authorization"] }));
  });
  const { child, rpc } = open(url);
  const answer = await rpc.readUntil(rpc.request("POST /x", { a: 1 }));
  expect(answer).toEqual({ method: "POST", body: '{"a":1}', auth: "Basic secret" });
  expect(await rpc.readUntil(rpc.request("GET /empty"))).toBeNull();
  const error: unknown = await rpc.readUntil(rpc.request("GET /nothing")).catch((thrown: unknown) => thrown);
  expect(refusalOf(error)).toMatchObject({ code: 404, data: { name: "NotFound" } });
  const much: unknown = await rpc.readUntil(rpc.request("GET /much")).catch((thrown: unknown) => thrown);
  expect(refusalOf(much)).toMatchObject({ code: 0, data: { code: "protocol_error" } });
  await rpc.notify("something/else", { b: 2 });
  expect(child.received).toEqual([{ jsonrpc: "2.0", method: "something/else", params: { b: 2 } }]);
});

test("merges the event stream into the lines of the child", async () => {
  const url = await serve((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write('data: {"type":"a"}\n\ndata: no json\n\n');
  });
  const { child, beside, rpc, told } = open(url);
  void rpc.notify("http/listen", { path: "/event" });
  const reader = rpc.events[Symbol.asyncIterator]();
  while (told.length < 3) await reader.next();
  expect(told).toEqual(['http/listening {"connected":"first"}', 'event {"type":"a"}', 'event {"text":"no json"}']);
  beside.end();
  child.exit();
  let last: IteratorResult<readonly AgentEvent[]>;
  do last = await reader.next();
  while (last.done !== true);
});

test("reports the exit of the child as the cause of a failed request", async () => {
  const { rpc, child, beside } = open(await nobodyThere(), 60_000);
  const asked = rpc.readUntil(rpc.request("GET /x")).catch((thrown: unknown) => thrown);
  child.exit({ code: null, signal: "SIGKILL" });
  beside.end();
  expect(goneOf(await asked)).toMatchObject({ signal: "SIGKILL" });
});

test("reports an unreachable server, for a request and for the stream", async () => {
  const { rpc, told, child } = open(await nobodyThere());
  const error: unknown = await rpc.readUntil(rpc.request("GET /x")).catch((thrown: unknown) => thrown);
  expect(refusalOf(error)).toMatchObject({ code: 0, data: { code: "network" } });
  expect(refusalOf(error)?.message).toContain("ECONNREFUSED");
  const refusing = await serve((_request, response) => response.writeHead(403).end());
  void rpc.notify("http/connect", { url: refusing });
  void rpc.notify("http/listen", { path: "/event" });
  await rpc.events[Symbol.asyncIterator]().next();
  expect(told).toEqual([expect.stringContaining("http/lost") as string]);
  expect(told[0]).toContain("not_authenticated");
  child.exit();
});

test("drops the answer of a request after the end", async () => {
  const asked = Promise.withResolvers<void>();
  const url = await serve(() => asked.resolve());
  const { rpc, beside, child } = open(url);
  const answer = rpc.request("GET /x");
  await asked.promise;
  beside.end();
  child.exit({ code: 1 });
  await expect(rpc.readUntil(answer)).rejects.toMatchObject({ code: "agent_crashed" });
  beside.end();
});
