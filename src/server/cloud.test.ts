/** Cloud agents over the API, and the webhooks of their service, with a stand-in for the service. */
import { createHmac } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { proof } from "../agents/cursor-cloud/proof.ts";
import { startCloudApi } from "../../test/stand-ins/cursor-cloud/index.ts";
import { apiServer, type TestServer } from "../../test/support/api-server.ts";

const secret = "a-secret-of-thirty-two-letters-at-least";

async function cloudServer(): Promise<TestServer> {
  const api = await startCloudApi();
  onTestFinished(() => api.close());
  const server = await apiServer({
    variables: { ...proof.env(api.url), REINS_CURSOR_CLOUD_WEBHOOK_SECRET: secret },
  });
  api.connect({ modelUrl: "http://127.0.0.1:1", cwd: server.cwd });
  return server;
}

test("lists cloud agents, their account, and what runs there", async () => {
  const server = await cloudServer();
  expect((await server.call("/api/cloud")).body).toEqual({ agents: ["cursor-cloud"] });
  const at = (path: string) => server.call(`/api/cloud/cursor-cloud${path}`);
  expect((await at("")).body).toMatchObject({ agents: [] });
  expect((await at("/account")).status).toBe(200);
  expect((await at("/repositories")).body).toMatchObject({ repositories: expect.any(Array) });
  const unknown = await at("/agents/bc-none");
  expect([unknown.status < 500, typeof unknown.body.error.message]).toEqual([true, "string"]);
  const reader = server.tokens.create({ name: "reader", scopes: ["read"] }).token;
  const place = "/api/cloud/cursor-cloud/agents/bc-none";
  for (const [method, path] of [
    ["POST", `${place}/stop`],
    ["POST", `${place}/archive`],
    ["DELETE", place],
  ] as const)
    expect((await server.call(path, { method, token: reader })).status).toBe(403);
});

test("accepts a webhook once, and only with its signature", async () => {
  const server = await cloudServer();
  const body = JSON.stringify({
    event: "statusChange",
    timestamp: new Date().toISOString(),
    id: "bc_abc",
    status: "FINISHED",
    source: { repository: "https://github.com/o/r", ref: "main" },
    target: { branchName: "b" },
  });
  const signed = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  const call = (signature: string) =>
    server.call("/hooks/cursor-cloud", { body, token: "", headers: { "x-webhook-signature": signature } });
  expect((await call(signed)).status).toBe(200);
  expect((await call(signed)).body).toEqual({ message: "This call was already received." });
  const forged = await call(signed.replace(/.$/, "x"));
  expect([forged.status, forged.body.error.code]).toEqual([401, "not_authenticated"]);
  expect(server.logged.filter((line) => line.includes("called back"))).toHaveLength(1);
  // Failed signatures are rate-limited here too.
  const statuses: number[] = [];
  for (let count = 0; count < 21; count++) statuses.push((await call("sha256=x")).status);
  expect(statuses.at(-1)).toBe(429);
  const large = await server.call("/hooks/cursor-cloud", { body: "x".repeat(1024 * 1024 + 1), token: "" });
  expect(large.status).toBe(413);
});

test("suggests, remembers and forgets where cloud agents of a folder work, within the server's folders", async () => {
  const server = await cloudServer();
  const path = "/api/cloud-target";
  const get = async () => (await server.call(`${path}?cwd=${encodeURIComponent(server.cwd)}`)).body;
  expect(await get()).toMatchObject({ suggested: {}, note: expect.stringContaining("no remote") as string });
  const target = { repository: "https://example.com/team/project", ref: "main", branch: "topic", createPr: true };
  const save = (body: object, token?: string) =>
    server.call(path, { body: { cwd: server.cwd, ...body }, ...(token !== undefined && { token }) });
  expect((await save({ target })).status).toBe(200);
  expect((await get()).remembered).toEqual(target);
  const wrong = await save({ target: { repository: "/srv/project.git" } });
  expect([wrong.status, wrong.body.error.code]).toEqual([400, "invalid_input"]);
  expect((await save({ target: { repository: "x".repeat(10_000) } })).status).toBe(400);
  expect((await save({ target: { repo: "https://example.com/a/b" } })).status).toBe(400);
  const reader = server.tokens.create({ name: "reader", scopes: ["read"] }).token;
  expect((await save({ target: null }, reader)).status).toBe(403);
  expect((await save({ target: null })).status).toBe(200);
  expect((await get()).remembered).toBeUndefined();
});
