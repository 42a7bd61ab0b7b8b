import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { apiServer, type TestServer } from "../../test/support/api-server.ts";
import { isA, peerOf } from "../../test/support/socket-peer.ts";
import type { TurnResult } from "../core/api.ts";
import type { ServerFrame } from "./schemas/socket.ts";

/** Creates a session outside the roots, as a command without the server would. */
async function outside(server: TestServer, prompt: string): Promise<TurnResult> {
  const cwd = join(server.cwd, "..", "elsewhere");
  mkdirSync(cwd, { recursive: true });
  await using session = await server.reins.session({ agent: "demo", cwd });
  return await session.prompt(prompt).result;
}

async function inside(server: TestServer, prompt: string): Promise<{ readonly id: string; readonly log: string }> {
  const { id } = await server.session(prompt);
  const events = await server.until(id, ({ type }) => type === "turn.completed");
  return { id, log: JSON.stringify(events) };
}

const refIn = (text: string): string => /"ref":"([^"]+)"/.exec(text)![1]!;

test("excludes usage outside the roots", async () => {
  const server = await apiServer({ rooted: true });
  await outside(server, "say one");
  expect((await server.call("/api/usage")).body.rows).toEqual([]);
  await inside(server, "say two");
  const [row, ...others] = (await server.call("/api/usage")).body.rows;
  expect(others).toEqual([]);
  const [all] = server.store.usage.rows();
  expect(all!.turns).toBe(2);
  expect(row).toMatchObject({ day: all!.day, agent: all!.agent, model: all!.model, turns: 1 });
  expect((await server.call("/api/usage?since=2999-01-01")).body.rows).toEqual([]);
});

test("hides content that only sessions outside the roots refer to", async () => {
  const server = await apiServer({ rooted: true });
  const { sessionId } = await outside(server, "big 200000");
  const secret = refIn(server.store.sessions.lines(sessionId!).join("\n"));
  const refused = await server.call(`/api/blobs/${secret}`);
  const missing = await server.call(`/api/blobs/${secret.replace(/.$/, (last) => (last === "0" ? "1" : "0"))}`);
  expect([refused.status, refused.body.error.code]).toEqual([missing.status, missing.body.error.code]);
  const own = refIn((await inside(server, "big 300000")).log);
  expect((await server.call(`/api/blobs/${own}`)).status).toBe(200);
});

test("does not report the removal of a session outside the roots", async () => {
  const server = await apiServer({ rooted: true });
  await outside(server, "say one");
  const { id } = await inside(server, "say two");
  const peer = await peerOf(server);
  peer.say({ type: "watch-all" });
  peer.say({ type: "call", id: 1, method: "POST", path: "/api/collect", body: { keepDays: 1e-9 } });
  await peer.until(isA("answer"));
  peer.say({ type: "call", id: 2, method: "DELETE", path: `/api/sessions/${id}` });
  await peer.until((frame): frame is ServerFrame => frame.type === "answer" && frame.id === 2);
  expect(peer.frames.filter(isA("removed"))).toEqual([{ type: "removed", session: id }]);
  expect(server.store.sessions.list()).toEqual([]);
  expect(peer.frames.find(isA("answer"))?.body).toMatchObject({ sessions: [] });
});

test("treats a session outside the roots like one that does not exist, also by a prefix of its id", async () => {
  const server = await apiServer({ rooted: true });
  const { sessionId } = await outside(server, "say one");
  const told = async (id: string) => {
    const { status, body } = await server.call(`/api/sessions/${id}`);
    return [status, JSON.stringify(body).replaceAll(id, "it")];
  };
  const never = await told("ses_00000000");
  expect(await told(sessionId!)).toEqual(never);
  expect(await told(sessionId!.slice(0, -1))).toEqual(never);
});

test("fills the results of a search with sessions inside the roots only", async () => {
  const server = await apiServer({ rooted: true });
  const { id } = await inside(server, "say seldom");
  await outside(server, "say seldom");
  const { hits } = (await server.call("/api/search?q=seldom&limit=1")).body;
  expect(hits).toMatchObject([{ session: { id } }]);
});

test("does not report sessions imported from outside the roots", async () => {
  const brought = {
    agent: "demo",
    nativeId: "1",
    title: "secret",
    updatedAt: "",
    messages: 1,
    outcome: "known",
  } as const;
  const server = await apiServer({
    rooted: true,
    wrap: (reins) => ({
      ...reins,
      sessions: {
        ...reins.sessions,
        async *import() {
          yield { ...brought, cwd: "/elsewhere" };
        },
      },
    }),
  });
  expect((await server.call("/api/import", { method: "POST", body: {} })).body).toEqual({ brought: [] });
});
