import { expect, test } from "vitest";
import { plainFailures } from "../../../test/support/plain-failures.ts";
import { nobodyThere, serve } from "../../../test/support/http-server.ts";
import { request, type HttpOptions } from "./client.ts";
import { httpRefusalOf } from "./errors.ts";

const { ending: classify } = plainFailures("some", { statuses: { 404: "protocol_error" } });

const options = (url: string, more: Partial<HttpOptions> = {}): HttpOptions => ({
  url,
  name: "Some Agent",
  agent: "some",
  classify,
  maxBytes: 1_000,
  ...more,
});
const get = (path = "/") => ({ method: "GET", path, deadlineMs: 5_000 });

test("sends and receives JSON, with the configured headers", async () => {
  const url = await serve(({ method, url: path, headers }, response, body) =>
    response.end(
      JSON.stringify({ method, path, body, secret: headers["authorization"], type: headers["content-type"] }),
    ),
  );
  const answer = await request(options(url, { headers: { authorization: "Basic x" } }), {
    method: "POST",
    path: "/a?b=c",
    body: { x: "ü" },
    deadlineMs: 5_000,
  });
  expect(answer).toEqual({
    method: "POST",
    path: "/a?b=c",
    body: '{"x":"ü"}',
    secret: "Basic x",
    type: "application/json",
  });
});

test("accepts an empty answer and one that is not JSON", async () => {
  const url = await serve(({ url: path }, response) => response.end(path === "/text" ? "fine" : ""));
  expect(await request(options(url), get())).toBeUndefined();
  expect(await request(options(url), get("/text"))).toBe("fine");
});

test.each([
  [401, "not_authenticated"],
  [404, "protocol_error"],
  [429, "rate_limited"],
  [503, "overloaded"],
])("reports status %i as %s, with the body of the answer", async (status, code) => {
  const url = await serve((_request, response) => response.writeHead(status).end('{"name":"Nope"}'));
  const error: unknown = await request(
    options(url, { headers: { authorization: "Basic secret" } }),
    get("/x?y=z"),
  ).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code, agent: "some", message: `Some Agent answered GET /x with status ${status}.` });
  expect(httpRefusalOf(error)).toEqual({ status, body: { name: "Nope" } });
  expect(JSON.stringify(error) + String(error)).not.toContain("secret");
  expect(httpRefusalOf(new Error("other"))).toBeUndefined();
});

test.each([
  ['{"message":"It\\nbroke"}', ": It broke"],
  ['{"name":"Unknown","data":{"message":"no table"}}', ": no table"],
  ['{"error":{"message":"Nope"}}', ": Nope"],
  ["plain words", ": plain words"],
  ["", "."],
  ["[7]", "."],
])("extracts the reason from the answer %j", async (body, end) => {
  const url = await serve((_request, response) => response.writeHead(500).end(body));
  await expect(request(options(url), get("/x"))).rejects.toMatchObject({
    message: `Some Agent answered GET /x with status 500${end}`,
  });
});

test("reports an unreachable server, a timeout, an overlong answer and a redirect with a code", async () => {
  await expect(request(options(await nobodyThere()), get())).rejects.toMatchObject({
    code: "network",
    message: expect.stringContaining("ECONNREFUSED") as string,
  });
  const url = await serve(({ url: path }, response) => {
    if (path === "/long") response.end("x".repeat(2_000));
    else if (path === "/away") response.writeHead(302, { location: "http://127.0.0.1:1/" }).end();
  });
  await expect(request(options(url), { ...get(), deadlineMs: 30 })).rejects.toMatchObject({ code: "agent_hung" });
  await expect(request(options(url), get("/long"))).rejects.toMatchObject({ code: "protocol_error" });
  await expect(request(options(url), get("/away"))).rejects.toMatchObject({ code: "network" });
});

test("can be aborted by the caller", async () => {
  const url = await serve(() => {});
  const controller = new AbortController();
  const asked = request(options(url), { ...get(), signal: controller.signal });
  controller.abort(new Error("enough"));
  await expect(asked).rejects.toThrow("enough");
});
