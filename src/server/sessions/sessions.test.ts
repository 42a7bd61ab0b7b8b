import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { ReinsEvent } from "../../events/types.ts";
import { apiServer, streamed } from "../../../test/support/api-server.ts";
import { startServer } from "../start.ts";

const over = (event: ReinsEvent): boolean => event.type === "turn.completed";
const asked = (event: ReinsEvent): boolean => event.type === "permission.requested";

test("an agent edits a file after an approval", async () => {
  const server = await apiServer();
  await writeFile(join(server.cwd, "a.txt"), "one");
  const { id, turn } = await server.session("edit a.txt one -> two");
  const request = (await server.until(id, asked)).find(asked) as ReinsEvent & { requestId: string };
  expect((await server.call(`/api/sessions/${id}`)).body).toMatchObject({
    running: true,
    waiting: [request.requestId],
  });
  const answers = `/api/sessions/${id}/answers/${request.requestId}`;
  expect((await server.call(answers, { body: { reply: "allow" } })).status).toBe(200);
  const events = await server.until(id, over);
  expect(events.find(over)).toMatchObject({ turnId: turn, outcome: "done" });
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1));
  expect(await readFile(join(server.cwd, "a.txt"), "utf8")).toBe("two");
  const again = await server.call(answers, { body: { reply: "deny" } });
  expect([again.status, again.body.error.code]).toEqual([409, "invalid_input"]);
});

test("refuses, queues or cancels a prompt to a busy session", async () => {
  const server = await apiServer();
  const { id } = await server.session("sleep 60000");
  const turns = `/api/sessions/${id}/turns`;
  const refused = await server.call(turns, { body: { prompt: "say no" } });
  expect([refused.status, refused.body.error.code, refused.body.error.retryable]).toEqual([409, "session_busy", true]);
  const queued = await server.call(turns, { body: { prompt: "say hi", whenBusy: "queue" } });
  expect(queued.status).toBe(202);
  await server.call(`/api/sessions/${id}/cancel`, { body: { turn: queued.body.turn } });
  await server.call(`/api/sessions/${id}/cancel`, { body: {} });
  const events = await server.until(id, over);
  expect(events.filter(({ type }) => type === "turn.started")).toHaveLength(1);
  expect(events.find(over)).toMatchObject({ outcome: "cancelled" });
});

test("returns the same turn for the same key, and refuses another body under it", async () => {
  const server = await apiServer();
  const { id } = await server.session();
  const turns = `/api/sessions/${id}/turns`;
  const headers = { "idempotency-key": "k1" };
  const [one, two] = await Promise.all([1, 2].map(() => server.call(turns, { body: { prompt: "say hi" }, headers })));
  expect(two!.body).toEqual(one!.body);
  expect((await server.call(turns, { body: { prompt: "say ho" }, headers })).status).toBe(409);
  const events = await server.until(id, over);
  expect(events.filter(({ type }) => type === "turn.started")).toHaveLength(1);
});

test("returns the same turn for the same key after a restart", async () => {
  const server = await apiServer();
  const { id } = await server.session();
  const turns = `/api/sessions/${id}/turns`;
  const own = "turn_00000000-0000-4000-8000-000000000001";
  const requests = [
    { body: { prompt: "say hi" }, headers: { "idempotency-key": "k1" } },
    { body: { prompt: "say ho", id: own }, headers: { "idempotency-key": own } },
  ];
  const answers: unknown[] = [];
  for (const request of requests) {
    answers.push((await server.call(turns, request)).body);
    await server.until(id, (event) => over(event) && event.turnId === (answers.at(-1) as { turn: string }).turn);
  }
  await server.close();
  // At another port, because the HTTP client may not know yet that its connections to the first server are closed.
  const again = await startServer({ ...server, port: 0, logger: { info() {}, warn() {}, error() {} } });
  onTestFinished(() => again.close());
  const ask = async ({ body, headers }: (typeof requests)[number]): Promise<Response> =>
    fetch(again.url + turns, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { ...headers, authorization: `Bearer ${server.tokens.own}`, "content-type": "application/json" },
    });
  for (const [index, request] of requests.entries())
    expect(await (await ask(request)).json()).toMatchObject(answers[index] as object);
  expect((await ask({ ...requests[0]!, body: { prompt: "say hu" } })).status).toBe(409);
  expect(server.store.sessions.turns(id)).toHaveLength(2);
});

test("opens one session per key and token", async () => {
  const server = await apiServer();
  const body = { agent: "demo", cwd: server.cwd, prompt: "say hi" };
  const headers = { "idempotency-key": "k1" };
  const open = (more: object = {}) => server.call("/api/sessions", { body: { ...body, ...more }, headers });
  const [one, two] = await Promise.all([open(), open()]);
  expect([one.status, two.status, two.body.id, two.body.turn]).toEqual([201, 201, one.body.id, one.body.turn]);
  const other = await open({ prompt: "say ho" });
  expect([other.status, other.body.error.code]).toEqual([409, "invalid_input"]);
  // A refused request did nothing and may be retried.
  const wrong = { body: { ...body, agent: "nobody" }, headers: { "idempotency-key": "k2" } };
  expect((await server.call("/api/sessions", wrong)).status).toBe(400);
  expect((await server.call("/api/sessions", { ...wrong, body })).status).toBe(201);
  const { token } = server.tokens.create({ name: "another", scopes: ["admin"] });
  const theirs = await server.call("/api/sessions", { body, headers, token });
  expect(theirs.body.id).not.toBe(one.body.id);
});

test("gives a reader that reconnects again and again every event once", async () => {
  const server = await apiServer();
  const { id } = await server.session("stream 3000");
  const seen: number[] = [];
  for (let done = false; !done;) {
    const leaving = new AbortController();
    for await (const events of streamed(server.url, server.tokens.own, id, seen.at(-1) ?? 0, leaving.signal)) {
      seen.push(...events.map(({ seq }) => seq));
      done = events.some(over);
      break;
    }
    leaving.abort();
  }
  expect(seen).toEqual(seen.map((_seq, index) => index + 1));
  expect(seen.length).toBeGreaterThan(3000);
});

test("resumes a closed session with the next prompt", async () => {
  const server = await apiServer();
  const { id } = await server.session("say one");
  await server.until(id, over);
  await server.call(`/api/sessions/${id}/close`, { body: {} });
  expect((await server.call(`/api/sessions/${id}`)).body).toMatchObject({ open: false, turns: 1 });
  expect((await server.call(`/api/sessions/${id}/turns`, { body: { prompt: "say two" } })).status).toBe(202);
  expect((await server.call(`/api/sessions/${id}`)).body).toMatchObject({ open: true, turns: 2 });
});

test("lists in pages, searches, renames, forks, exports and removes sessions", async () => {
  const server = await apiServer();
  const ids: string[] = [];
  for (const word of ["apple", "pear", "plum"]) {
    const { id } = await server.session(`say ${word}`);
    await server.until(id, over);
    ids.unshift(id);
  }
  const first = await server.call("/api/sessions?limit=2");
  const second = await server.call(`/api/sessions?limit=2&cursor=${first.body.cursor}`);
  expect([...first.body.sessions, ...second.body.sessions].map(({ id }: { id: string }) => id)).toEqual(ids);
  expect(second.body.cursor).toBeUndefined();
  expect((await server.call("/api/sessions?q=pear")).body.sessions).toHaveLength(1);
  expect((await server.call("/api/search?q=pear")).body.hits[0]).toMatchObject({ session: { id: ids[1] } });
  const patched = await server.call(`/api/sessions/${ids[0]}`, {
    method: "PATCH",
    body: { title: "Plums", mode: "read" },
  });
  expect(patched.body).toMatchObject({ title: "Plums" });
  expect((await server.call(`/api/sessions/${ids[0]}/fork`, { body: {} })).body).toMatchObject({ parent: ids[0] });
  const exported = await server.call(`/api/sessions/${ids[0]}/export?format=md`);
  expect(exported.body).toContain("plum");
  expect(exported.headers.get("content-disposition")).toContain("attachment");
  expect((await server.call(`/api/sessions/${ids[2]}`, { method: "DELETE" })).status).toBe(200);
  expect((await server.call(`/api/sessions/${ids[2]}`)).status).toBe(404);
});

test("closes streams and sessions on stop", async () => {
  const server = await apiServer();
  const { id } = await server.session("sleep 60000");
  const frames = streamed(server.url, server.tokens.own, id, 0, new AbortController().signal);
  await frames.next();
  await server.close();
  // The stream must end, not break: reading on throws nothing.
  for await (const _frame of frames) continue;
  await expect(server.call("/health")).rejects.toThrow("fetch failed");
});
