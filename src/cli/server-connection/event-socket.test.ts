import { expect, onTestFinished, test } from "vitest";
import { apiServer } from "../../../test/support/api-server.ts";
import { cuttingProxy } from "../../../test/support/cutting-proxy.ts";
import { createClient, type ClientOptions } from "../../client/index.ts";
import type { ReinsEvent } from "../../events/types.ts";
import { httpFetch } from "./http.ts";
import { EventSocket } from "./event-socket.ts";

const lightly = { fetch: httpFetch, WebSocket: EventSocket };

async function light(more: Partial<ClientOptions> = {}) {
  const proxy = await cuttingProxy();
  const server = await apiServer({ allowHosts: [new URL(proxy.url).host] });
  proxy.leadTo(server.url);
  const { url } = proxy;
  const { cwd } = server;
  const reins = createClient({ url, cwd, token: server.tokens.own, ...lightly, ...more });
  onTestFinished(() => reins.close());
  return { proxy, server, reins };
}

test("resumes streams where they were cut", async () => {
  const { proxy, reins } = await light();
  const session = await reins.session({ agent: "demo" });
  const turn = session.prompt(Array.from({ length: 20 }, () => "stream 50; sleep 5").join("; "));
  const seen: ReinsEvent[] = [];
  let cuts = 0;
  for await (const event of turn) if (seen.push(event) % 25 === 0) cuts += proxy.cut();
  expect(cuts).toBeGreaterThan(5);
  const kept: ReinsEvent[] = [];
  for await (const event of reins.sessions.events(session.id)) kept.push(event);
  expect(seen).toEqual(kept.filter(({ seq }) => seq >= seen[0]!.seq));
});

test("serves two sessions at once, and reports one that is gone", async () => {
  const { server, reins } = await light();
  const [one, two] = await Promise.all([reins.session({ agent: "demo" }), reins.session({ agent: "demo" })]);
  const results = await Promise.all([one.prompt("say one").result, two.prompt("say two").result]);
  expect(results.map(({ text }) => text)).toEqual(["one", "two"]);
  await one.close();
  expect((await two.prompt("say three").result).text).toBe("three");
  const reading = (async () => {
    for await (const event of two.events()) void event;
  })();
  await server.call(`/api/sessions/${two.id}`, { method: "DELETE" });
  await expect(reading).rejects.toMatchObject({ code: "session_not_found" });
});

test("waits only a limited time for a server that does not come back", async () => {
  const { proxy, reins } = await light({ patienceMs: 100 });
  const session = await reins.session({ agent: "demo" });
  const turn = session.prompt("say first; sleep 60000");
  const reading = (async () => {
    for await (const event of turn) if (event.type === "message.completed") proxy.end();
  })();
  await expect(reading).rejects.toMatchObject({ code: "network" });
  await expect(turn.result).rejects.toMatchObject({ code: "network" });
});

test("does not split a frame at U+2028 or U+2029", async () => {
  const { reins } = await light();
  const session = await reins.session({ agent: "demo" });
  expect((await session.prompt("say one\u2028two\u2029three").result).text).toBe("one\u2028two\u2029three");
});
