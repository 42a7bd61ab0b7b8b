import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { apiServer } from "../../test/support/api-server.ts";
import type { Document } from "../../test/support/openapi.ts";

const page = readFileSync(new URL("../../docs/api.md", import.meta.url), "utf8");

test("docs/api.md lists every path of the document with its method", async () => {
  const server = await apiServer();
  const document = (await server.call<Document>("/openapi.json", { token: "" })).body;
  const rows = page.split("\n").filter((line) => line.startsWith("| `"));
  const missing = Object.entries(document.paths).flatMap(([path, methods]) => {
    const written = path.replaceAll(/\{(\w+)\}/g, ":$1");
    const [, above = "", last = ""] = /^(.*)\/([^/]+)$/.exec(written) ?? [];
    return Object.keys(methods)
      .map((method) => method.toUpperCase())
      .filter(
        (method) =>
          !rows.some(
            (row) =>
              row.includes(method) &&
              (new RegExp(`${written}[\`?\\[ ]`).test(row) || (row.includes(above) && row.includes(`\`${last}`))),
          ),
      )
      .map((method) => `${method} ${written}`);
  });
  expect(missing).toEqual([]);
});

test("every path of the document has one sentence, unique parameter ids, and its required scope", async () => {
  const server = await apiServer();
  const document = (await server.call("/openapi.json", { token: "" })).body as {
    paths: Record<
      string,
      Record<string, { summary: string; description: string; parameters?: { name: string; in: string }[] }>
    >;
  };
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, { summary, description, parameters = [] }] of Object.entries(methods)) {
      expect([path, summary]).toEqual([path, expect.stringMatching(/^\S[^\n]+\.$/)]);
      expect([path, method, description]).toEqual([
        path,
        method,
        expect.stringMatching(/^Needs (no token|a token with)/),
      ]);
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
      expect(
        parameters
          .filter((one) => one.in === "path")
          .map(({ name }) => name)
          .toSorted(),
      ).toEqual(named.toSorted());
    }
});
