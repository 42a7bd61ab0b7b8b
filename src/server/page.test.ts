/** The page and the API reference: files of one folder, and nothing that the page's security policy would block. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { apiServer } from "../../test/support/api-server.ts";
import { temporaryFolder } from "../../test/support/processes.ts";
import { rawRequest } from "../../test/support/raw-request.ts";

function builtPage(): string {
  const home = temporaryFolder();
  onTestFinished(() => home[Symbol.dispose]());
  const folder = join(home.path, "web");
  mkdirSync(join(folder, "assets"), { recursive: true });
  writeFileSync(join(folder, "index.html"), "<!doctype html><title>Reins</title>");
  writeFileSync(join(folder, "assets", "app-1a2b.js"), "1;");
  writeFileSync(join(home.path, "secret.txt"), "secret");
  return folder;
}

const strict =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; " +
  "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

test("serves the page and its files with cache and security headers", async () => {
  const server = await apiServer({ page: builtPage() });
  const page = await server.call("/", { token: "" });
  expect([page.status, page.body]).toEqual([200, "<!doctype html><title>Reins</title>"]);
  expect(Object.fromEntries(page.headers)).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-cache",
    "content-security-policy": strict,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
  });
  const script = await server.call("/assets/app-1a2b.js", { token: "" });
  expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(script.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(script.headers.get("content-encoding")).toBe("gzip");
  const plain = await rawRequest(server.port, "/assets/app-1a2b.js");
  expect([plain.text, plain.headers["content-encoding"]]).toEqual(["1;", undefined]);
  expect((await server.call("/api/me")).headers.get("cache-control")).toBe("no-store");
  expect((await server.call("/api/me", { token: "" })).headers.get("content-security-policy")).toBe(strict);
});

test("serves nothing outside the folder of the page", async () => {
  const { port } = await apiServer({ page: builtPage() });
  const ways = ["/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/assets/..%2f..%2fsecret.txt"];
  for (const way of [...ways, "/..%5csecret.txt", "/%00", "/index.html%00.js", "/%ff.js", "/assets", "/assets/"]) {
    const { status, text } = await rawRequest(port, way);
    expect([way, status, text.includes("secret.txt") || !text.includes("secret")]).toEqual([way, 404, true]);
  }
});

test("explains how to build the page when it is not built", async () => {
  const server = await apiServer();
  const { status, body, headers } = await server.call("/", { token: "" });
  expect([status, headers.get("content-type")]).toEqual([404, "text/html; charset=UTF-8"]);
  expect(body).toContain("npm run build");
  expect(body).not.toMatch(/<script|<style|style=| on\w+=/);
});

test("the API reference page respects the content security policy and lists every path of the OpenAPI document", async () => {
  const server = await apiServer();
  const page = await server.call("/docs", { token: "" });
  expect(page.status).toBe(200);
  expect(page.body).not.toMatch(/<script|<style|style=| on\w+=|https?:\/\//);
  expect(page.headers.get("content-security-policy")).toBe(strict);
  const [style] = /href="(\/docs\/[^"]+\.css)"/.exec(page.body)!.slice(1);
  expect((await server.call(style!, { token: "" })).headers.get("content-type")).toBe("text/css; charset=utf-8");
  const document = (await server.call("/openapi.json", { token: "" })).body;
  expect(document.openapi).toBe("3.1.0");
  const paths = Object.keys(document.paths);
  expect(paths).toEqual(expect.arrayContaining(["/health", "/metrics", "/ws", "/hooks/{agent}", "/api/sessions"]));
  for (const path of paths) expect(page.body).toContain(`<code>${path}</code>`);
});
