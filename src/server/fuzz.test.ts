/** Tests the API against its own OpenAPI document: no request causes a defect, and every answer matches its schema. */
import { expect, test } from "vitest";
import { apiServer, type TestServer } from "../../test/support/api-server.ts";
import { fc } from "../../test/support/fast-check.ts";
import { nobodyThere } from "../../test/support/http-server.ts";
import { misfit, valueOf, type Document, type Operation } from "../../test/support/openapi.ts";
import { rawRequest } from "../../test/support/raw-request.ts";
import { repository } from "../../test/support/repository.ts";

interface Target {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

async function scene(): Promise<{ server: TestServer; document: Document; targets: readonly Target[]; ids: string[] }> {
  // The demo agent really works, so keep it in a folder of its own and make cloud services unreachable.
  const server = await apiServer({ rooted: true, variables: { REINS_CURSOR_CLOUD_URL: await nobodyThere() } });
  const document = (await server.call<Document>("/openapi.json", { token: "" })).body;
  const { id } = await server.session("say hi");
  repository(server.cwd);
  const comparison = await server.call<{ id: string }>("/api/comparisons", {
    body: { cwd: server.cwd, prompt: "say hi", entries: [{ agent: "demo" }] },
  });
  const targets = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  expect([document.openapi, targets.length > 60]).toEqual(["3.1.0", true]);
  return { server, document, targets, ids: [id, comparison.body.id] };
}

/** Restricts a body to the demo agent and this folder. */
function tamed(body: unknown, cwd: string): unknown {
  if (typeof body !== "object" || body === null) return body;
  if ("agent" in body) return { ...body, agent: "demo", fallback: [], cwd };
  return "entries" in body ? { ...body, entries: [{ agent: "demo" }], cwd } : body;
}

test("valid and invalid bodies cause no defect, and every answer matches its schema", async () => {
  const { server, document, targets, ids } = await scene();
  const strange = ["demo", "nobody", "ses_none", "last", "cursor-cloud", "../..", "\0", "💥", "1", "a".repeat(2000)];
  const place = fc.constantFrom(...ids, ...ids, ...ids, ...strange);
  const statuses = new Set<number>();
  const wrong: string[] = [];
  for (const { path, method, operation } of targets) {
    const { parameters = [], requestBody, responses } = operation;
    const schema = requestBody?.content["application/json"]?.schema;
    const inQuery = parameters.filter((one) => one.in === "query");
    const inPath = parameters.filter((one) => one.in === "path");
    const asked = fc.record({
      names: fc.record(Object.fromEntries(inPath.map(({ name }) => [name, place]))),
      query: fc.record(Object.fromEntries(inQuery.map((one) => [one.name, valueOf(one.schema, document)])), {
        requiredKeys: [],
      }),
      body: schema === undefined ? fc.constant(method === "post" ? {} : undefined) : valueOf(schema, document),
    });
    for (const { names, query, body } of fc.sample(asked, 4)) {
      const where = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(names[name]!));
      const search = new URLSearchParams(
        Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
      );
      const sent = tamed(body, server.cwd);
      const answer = await server.call(`${where}?${search.toString()}`, {
        method: method.toUpperCase(),
        ...(sent !== undefined && { body: JSON.stringify(sent) }),
      });
      statuses.add(answer.status);
      const told = (responses[String(answer.status)] ?? responses["default"])?.content?.["application/json"]?.schema;
      const isJson = answer.headers.get("content-type")?.startsWith("application/json") === true;
      const unlike = isJson && told !== undefined ? misfit(told, answer.body, document) : undefined;
      if (answer.status >= 500 || unlike !== undefined)
        wrong.push(`${answer.status} ${method} ${where} ${JSON.stringify(sent)}: ${unlike}`);
    }
  }
  expect([wrong, server.logged.filter((line) => line.includes("a request failed"))]).toEqual([[], []]);
  expect([...statuses].filter((status) => status < 300).length).toBeGreaterThan(1);
});

test("any method, media type and bytes cause no defect", async () => {
  const { server, targets, ids } = await scene();
  const authorization = `Bearer ${server.tokens.own}`;
  const paths = [...new Set(targets.map(({ path }) => path))];
  const bytes = fc.oneof(
    fc.string({ unit: "binary", maxLength: 200 }),
    fc.json(),
    fc.constant("null"),
    fc.constant("{"),
  );
  const type = fc.constantFrom(
    "application/json",
    "application/json; charset=utf-16",
    "text/plain",
    "image/png",
    "x",
    "",
  );
  const method = fc.constantFrom("POST", "PATCH", "PUT", "DELETE", "HEAD", "OPTIONS", "TRACE", "GET", "PURGE");
  const name = fc.constantFrom(...ids, "%", "%ff", "%2e%2e%2f", ".", "..;", "*", "%00", "a%2Fb", "=", "~");
  const query = fc.constantFrom(
    "",
    "?",
    "?a[b]=c&&&",
    "?limit=NaN",
    "?after=1e99",
    "?cursor=%ff",
    `?q=${"x".repeat(9_000)}`,
  );
  const asked = fc.record({ method, type, bytes, name, query });
  const defects: string[] = [];
  for (const path of paths)
    for (const one of fc.sample(asked, 3)) {
      const where = path.replaceAll(/\{\w+\}/g, one.name) + one.query;
      const length = String(Buffer.byteLength(one.bytes));
      const headers = { authorization, "content-type": one.type, "content-length": length, "last-event-id": "x" };
      const { status } = await rawRequest(server.port, where, headers, { method: one.method, body: one.bytes });
      if (status >= 500) defects.push(`${status} ${one.method} ${where} ${one.type} ${JSON.stringify(one.bytes)}`);
    }
  expect([defects, server.logged.filter((line) => line.includes("a request failed"))]).toEqual([[], []]);
  expect((await server.call("/api/me")).status).toBe(200);
});
