/** Which sessions a server holds, and how it follows the others. */
import { expect, test } from "vitest";
import { EventBatch } from "../../core/log/event-batch.ts";
import { apiServer, type TestServer } from "../../../test/support/api-server.ts";
import { crash } from "../../../test/support/crash.ts";
import { isA, peerOf } from "../../../test/support/socket-peer.ts";
import { about, conversation, stamped } from "../../../test/support/store.ts";
import { createReins } from "../../core/reins.ts";
import type { EventOf, ReinsEvent } from "../../events/types.ts";
import { openStore } from "../../store/index.ts";

const over = (event: ReinsEvent): event is EventOf<"turn.completed"> => event.type === "turn.completed";

async function openIds(server: TestServer, ids: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(ids.map(async (id) => (await server.call(`/api/sessions/${id}`)).body));
  return found.filter(({ open }) => open).map(({ id }) => id);
}

test("closes the session idle longest above the limit, and resumes it with its next prompt", async () => {
  const server = await apiServer({ limits: { sessions: 3 } });
  const ids: string[] = [];
  for (const word of ["a", "b", "c"]) {
    const { id } = await server.session(`say ${word}`);
    await server.until(id, over);
    ids.push(id);
  }
  const [a, b, c] = ids as [string, string, string];
  const { turn } = (await server.call(`/api/sessions/${a}/turns`, { body: { prompt: "say again" } })).body;
  await server.until(a, (event) => over(event) && event.turnId === turn);
  const { id: d } = await server.session("say d");
  expect(await openIds(server, [...ids, d])).toEqual([a, c, d]);
  await server.until(d, over);
  expect((await server.call(`/api/sessions/${b}/turns`, { body: { prompt: "say two" } })).status).toBe(202);
  expect(await openIds(server, [...ids, d])).toEqual([a, b, d]);
});

test("refuses a session when all held sessions are busy", async () => {
  const server = await apiServer({ limits: { sessions: 2 } });
  const [one] = [await server.session("sleep 60000"), await server.session("background 60000")];
  const { status, body } = await server.call("/api/sessions", { body: { agent: "demo", cwd: server.cwd } });
  expect([status, body.error.code, body.error.message]).toEqual([
    429,
    "rate_limited",
    "There are 2 open sessions, and all of them are busy.",
  ]);
  await server.call(`/api/sessions/${one.id}/cancel`, { body: {} });
  await server.session();
});

test("follows a session of another process from its log, and refuses prompts to it", async () => {
  const server = await apiServer();
  const watcher = await peerOf(server);
  watcher.say({ type: "watch-all" });
  watcher.say({ type: "call", id: 1, method: "GET", path: "/api/me" });
  await watcher.until(isA("answer"));
  using store = openStore({ env: server.env });
  await using other = createReins({ store, env: server.env, guardian: false });
  await using session = await other.session({ agent: "demo", cwd: server.cwd });
  const turn = session.prompt("stream 300; sleep 60000");
  const { id } = session;
  const streaming = server.until(id, over);
  const seen = await watcher.until(
    (frame): frame is Extract<typeof frame, { type: "session" }> => frame.type === "session" && frame.session.running,
  );
  expect(seen.session).toMatchObject({ id, open: false, running: true });
  const refused = await server.call(`/api/sessions/${id}/turns`, { body: { prompt: "say no" } });
  expect([refused.status, refused.body.error.code]).toEqual([409, "session_busy"]);
  await turn.cancel();
  const events = await streaming;
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1));
  expect(events.length).toBeGreaterThan(300);
  await watcher.until((frame): frame is typeof frame => frame.type === "session" && !frame.session.running);
});

test("takes over the session of a killed process with the next prompt, and readers miss nothing", async () => {
  const server = await apiServer();
  const folder = server.env["REINS_HOME"] ?? "";
  let streaming: Promise<readonly ReinsEvent[]> | undefined;
  const { id = "" } = await crash({
    store: folder,
    cwd: server.cwd,
    agent: "demo",
    mode: "full",
    prompt: "stream 300; say enough; sleep 60000",
    env: server.env,
    async when(line, count) {
      // The session is not stored before its first event.
      if (count === 1) return false;
      const { type, sessionId } = JSON.parse(line) as ReinsEvent;
      streaming ??= server.until(sessionId, (event) => over(event) && event.outcome === "done");
      if (type !== "message.completed" || !line.includes("enough")) return false;
      const { status, body } = await server.call(`/api/sessions/${sessionId}/turns`, { body: { prompt: "say no" } });
      expect([status, body.error.code]).toEqual([409, "session_busy"]);
      return true;
    },
  });
  expect((await server.call(`/api/sessions/${id}/turns`, { body: { prompt: "say I go on" } })).status).toBe(202);
  const events = (await streaming) ?? [];
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1));
  expect(events.filter(over)).toMatchObject([{ outcome: "interrupted" }, { outcome: "done" }]);
});

test("ends the streams of a removed session with a reason", async () => {
  const server = await apiServer();
  const { id } = await server.session("say hi");
  await server.until(id, over);
  const peer = await peerOf(server);
  peer.say({ type: "watch-all" });
  peer.say({ type: "watch", session: id, after: 0 });
  await peer.until(isA("events"));
  const stream = fetch(`${server.url}/api/sessions/${id}/events`, {
    headers: { authorization: `Bearer ${server.tokens.own}`, accept: "text/event-stream" },
  });
  const body = (await stream).text();
  await server.call(`/api/sessions/${id}`, { method: "DELETE" });
  expect(await body).toContain('event: cut\ndata: {"reason":"The session was removed."');
  expect(await peer.until(isA("cut"))).toMatchObject({ session: id, reason: "The session was removed." });
  expect(await peer.until(isA("removed"))).toEqual({ type: "removed", session: id });
});

test("lists each session once in pages, skipping those the token may not see", async () => {
  const server = await apiServer({ rooted: true });
  const keep = (id: string, cwd: string): void => {
    const log = server.store.open(id, about({ cwd }));
    log.append(new EventBatch(stamped(id, conversation(id))));
    log.end();
  };
  const ids = Array.from({ length: 25 }, (_none, index) => `ses_${String(index).padStart(4, "0")}`);
  for (const id of ids) keep(id, Number(id.slice(4)) % 3 === 0 ? "/etc" : server.cwd);
  const seen: string[] = [];
  for (let cursor: string | undefined = ""; cursor !== undefined;) {
    const { body } = await server.call(`/api/sessions?limit=4${cursor === "" ? "" : `&cursor=${cursor}`}`);
    expect(body.sessions.length).toBeLessThanOrEqual(4);
    seen.push(...body.sessions.map(({ id }: { id: string }) => id));
    cursor = body.cursor as string | undefined;
    // A session created meanwhile must not shift the pages.
    keep(`ses_new${seen.length}`, server.cwd);
  }
  expect(seen).toEqual(ids.filter((id) => Number(id.slice(4)) % 3 !== 0).toReversed());
});
