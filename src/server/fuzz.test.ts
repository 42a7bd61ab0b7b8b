import { expect, test } from "vitest";
import { apiServer } from "../../test/support/api-server.ts";
import { fc } from "../../test/support/fast-check.ts";
import { repository } from "../../test/support/repository.ts";

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
}
interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly "application/json": { readonly schema: Schema } } };
}
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly required?: readonly string[];
}
interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Sometimes what the schema says, sometimes anything. */
function valueOf(schema: Schema, document: Document, depth = 0): fc.Arbitrary<unknown> {
  const named = schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.split("/").at(-1)!]!;
  const right = (): fc.Arbitrary<unknown> => {
    if (named.enum !== undefined) return fc.constantFrom(...named.enum);
    if (named.anyOf !== undefined) return fc.oneof(...named.anyOf.map((one) => valueOf(one, document, depth + 1)));
    if (named.type === "object" && named.properties !== undefined && depth < 4) {
      const fields = Object.entries(named.properties).map(([key, value]) => [key, valueOf(value, document, depth + 1)]);
      return fc.record(Object.fromEntries(fields), { requiredKeys: (named.required ?? []) as never[] });
    }
    if (named.type === "array") return fc.array(valueOf(named.items ?? {}, document, depth + 1), { maxLength: 2 });
    if (named.type === "boolean") return fc.boolean();
    if (named.type === "number" || named.type === "integer") return fc.integer({ min: -1, max: 100 });
    return fc.constantFrom("demo", "last", "say hi", "/", "x", "");
  };
  return fc.oneof({ weight: 9, arbitrary: right() }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) });
}

/** What would ask real programs of this machine, or wait for a network. */
const leftOut = /import|\/cloud\/|\/verify|\/login|\/logout|\/update|\/uploads/;

test("whatever is asked of a path of the document, nothing of it is a defect", async () => {
  // Its agent really works: nowhere but in a folder of its own.
  const server = await apiServer({ rooted: true });
  const document = (await server.call<Document>("/openapi.json", { token: "" })).body;
  expect(document.openapi).toBe("3.1.0");
  const { id } = await server.session("say hi");
  repository(server.cwd);
  const comparison = await server.call<{ id: string }>("/api/comparisons", {
    body: { cwd: server.cwd, prompt: "say hi", entries: [{ agent: "demo" }] },
  });
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  expect(operations.length).toBeGreaterThan(50);
  const place = fc.constantFrom(
    id,
    id,
    comparison.body.id,
    "demo",
    "nobody",
    "ses_none",
    "../..",
    "\0",
    "💥",
    "1",
    "a".repeat(2000),
  );
  const statuses = new Set<number>();
  const defects: string[] = [];
  for (const { path, method, operation } of operations.filter((one) => !leftOut.test(one.path))) {
    const { parameters = [], requestBody } = operation;
    const schema = requestBody?.content["application/json"].schema;
    const asked = fc.record({
      path: fc.record(
        Object.fromEntries(parameters.filter((one) => one.in === "path").map(({ name }) => [name, place])),
      ),
      query: fc.record(
        Object.fromEntries(
          parameters.filter((one) => one.in === "query").map((one) => [one.name, valueOf(one.schema, document)]),
        ),
        { requiredKeys: [] },
      ),
      body: schema === undefined ? fc.constant(method === "post" ? {} : undefined) : valueOf(schema, document),
    });
    for (const { path: names, query, body } of fc.sample(asked, 4)) {
      const where = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(names[name]!));
      const search = new URLSearchParams(
        Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
      );
      const isObject = typeof body === "object" && body !== null;
      const ours = { ...(body as object), cwd: server.cwd };
      const sent =
        isObject && "agent" in body
          ? { ...ours, agent: "demo", fallback: [] }
          : isObject && "entries" in body
            ? { ...ours, entries: [{ agent: "demo" }] }
            : body;
      const { status } = await server.call(`${where}?${search.toString()}`, {
        method: method.toUpperCase(),
        ...(sent !== undefined && { body: JSON.stringify(sent) }),
      });
      statuses.add(status);
      if (status >= 500) defects.push(`${status} ${method} ${where} ${JSON.stringify(sent)}`);
    }
  }
  expect([defects, server.logged.filter((line) => line.includes("a request failed"))]).toEqual([[], []]);
  expect([...statuses].filter((status) => status < 300).length).toBeGreaterThan(1);
});
