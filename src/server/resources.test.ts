/** Tests the main use of each resource once. The fuzz test checks that answers match their schemas. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { apiServer, type TestServer } from "../../test/support/api-server.ts";
import type { ReinsEvent } from "../events/types.ts";

const over = (event: ReinsEvent): boolean => event.type === "turn.completed";

async function said(server: TestServer, path: string): Promise<unknown> {
  const { status, body } = await server.call(path);
  expect([path, status]).toEqual([path, 200]);
  return body as unknown;
}

test("agents: what they still need, their models and their details", async () => {
  const server = await apiServer();
  const { agents } = (await said(server, "/api/agents")) as { agents: { id: string; ready: boolean; help?: string }[] };
  expect(agents.find(({ id }) => id === "demo")).toMatchObject({ ready: true });
  for (const { ready, help } of agents) expect(ready || help !== undefined).toBe(true);
  expect(await said(server, "/api/agents/demo")).toMatchObject({ id: "demo", models: expect.any(Array) });
  expect(await said(server, "/api/agents/demo/models")).toMatchObject({ models: expect.any(Array) });
  // An action that the agent does not support is answered with an alternative.
  for (const call of [
    await server.call("/api/agents/demo/about"),
    await server.call("/api/agents/demo/login", { body: {} }),
  ])
    expect([call.status, call.body.error.code]).toEqual([422, "unsupported"]);
});

test("usage, limits and running processes", async () => {
  const server = await apiServer();
  const { id } = await server.session("say hi");
  await server.until(id, over);
  expect(await said(server, "/api/usage")).toMatchObject({
    rows: [{ agent: "demo", turns: 1 }],
    limits: [],
    down: [],
  });
  expect(await said(server, "/api/usage?since=2999-01-01")).toMatchObject({ rows: [] });
  expect(await said(server, "/api/ps")).toEqual({ running: expect.any(Array) });
});

test("the policy: its rules and decisions, and that a project's rule cannot be removed here", async () => {
  const server = await apiServer();
  writeFileSync(
    join(server.cwd, "reins.config.json"),
    JSON.stringify({ policy: { rules: [{ decision: "deny", tool: "shell" }] } }),
  );
  const cwd = encodeURIComponent(server.cwd);
  const { rules } = (await said(server, `/api/policy?cwd=${cwd}`)) as { rules: { number: number; source: string }[] };
  expect(rules).toMatchObject([{ number: 1, source: "project" }]);
  const tried = await server.call("/api/policy/test", {
    body: { cwd: server.cwd, tool: "shell", input: { command: "ls" } },
  });
  expect(tried.body).toMatchObject({ decision: "deny", by: "rule" });
  // The rule is in a file of the project, so it cannot be removed here.
  expect((await server.call(`/api/policy/1?cwd=${cwd}`, { method: "DELETE" })).status).toBe(400);
});

test("the configuration: each setting and its source", async () => {
  const server = await apiServer({ variables: { REINS_MODEL: "scripted" } });
  mkdirSync(join(server.cwd, "in"));
  writeFileSync(join(server.cwd, "in", "reins.config.json"), JSON.stringify({ agent: "demo" }));
  const { settings } = (await said(server, `/api/configuration?cwd=${encodeURIComponent(join(server.cwd, "in"))}`)) as {
    settings: { key: string; from: string; value?: unknown }[];
  };
  expect(settings.find(({ key }) => key === "agent")).toMatchObject({
    value: "demo",
    from: "project",
  });
});

test("steering, changing model, mode and agent, and three export formats", async () => {
  const server = await apiServer();
  const { id, turn } = await server.session("sleep 60000");
  const steered = await server.call(`/api/sessions/${id}/steer`, { body: { prompt: "say more" } });
  expect([steered.status, steered.body]).toEqual([
    202,
    { session: id, turn: expect.stringMatching(/^turn_/) as string },
  ]);
  await server.call(`/api/sessions/${id}/cancel`, { body: {} });
  const events = await server.until(id, over);
  expect(events.find(over)).toMatchObject({ turnId: turn, outcome: "cancelled" });
  // This agent cannot be steered, so the prompt is queued.
  expect(events.find(({ type }) => type === "input.added")).toMatchObject({
    turnId: turn,
    how: "queue",
    text: "say more",
  });
  const patched = await server.call(`/api/sessions/${id}`, { method: "PATCH", body: { mode: "plan", title: "Plans" } });
  expect([patched.status, patched.body]).toMatchObject([200, { title: "Plans" }]);
  const nobody = await server.call(`/api/sessions/${id}/handoff`, { body: { to: "nobody" } });
  expect([nobody.status, nobody.body.error.code]).toEqual([400, "invalid_input"]);
  for (const [format, type] of [
    ["md", "text/markdown"],
    ["jsonl", "application/x-ndjson"],
    ["html", "text/html"],
  ] as const) {
    const { body, headers } = await server.call(`/api/sessions/${id}/export?format=${format}`);
    expect([headers.get("content-type"), headers.get("content-disposition")]).toEqual([
      `${type}; charset=utf-8`,
      `attachment; filename="${id}.${format}"`,
    ]);
    expect(body).toContain("sleep 60000");
  }
});

test("fetches content that was too large for an event by its ref", async () => {
  const server = await apiServer();
  const { id } = await server.session("big 200000");
  const events = await server.until(id, over);
  const ref = /"ref":"([^"]+)"/.exec(JSON.stringify(events))?.[1];
  expect(ref).toBeDefined();
  const blob = await fetch(`${server.url}/api/blobs/${ref}`, {
    headers: { authorization: `Bearer ${server.tokens.own}` },
  });
  expect(blob.headers.get("content-disposition")).toBe("attachment");
  expect((await blob.arrayBuffer()).byteLength).toBeGreaterThanOrEqual(200_000);
});
