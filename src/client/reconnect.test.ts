import { expect, onTestFinished, test } from "vitest";
import { apiServer, type TestServer } from "../../test/support/api-server.ts";
import { cuttingProxy, type CuttingProxy } from "../../test/support/cutting-proxy.ts";
import { seededRandom } from "../../test/support/random.ts";
import type { Reins } from "../core/api.ts";
import type { ReinsEvent } from "../events/types.ts";
import { createClient } from "./index.ts";

/** A client that reaches its server through a proxy that cuts connections. */
async function apart(): Promise<{ server: TestServer; proxy: CuttingProxy; reins: Reins }> {
  const proxy = await cuttingProxy();
  const server = await apiServer({ allowHosts: [new URL(proxy.url).host] });
  proxy.leadTo(server.url);
  const reins = createClient({ url: proxy.url, token: server.tokens.own, cwd: server.cwd });
  onTestFinished(() => reins.close());
  return { server, proxy, reins };
}

async function logged(server: TestServer, id: string): Promise<ReinsEvent[]> {
  const events: ReinsEvent[] = [];
  for (;;) {
    const { body } = await server.call(`/api/sessions/${id}/events?after=${events.length}`);
    if (body.events.length === 0) return events;
    events.push(...body.events);
  }
}

test("delivers every event once and in order with a hundred random cuts in one turn", async () => {
  const random = seededRandom();
  const { server, proxy, reins } = await apart();
  const session = await reins.session({ agent: "demo", attended: true });
  const everything: ReinsEvent[] = [];
  const reading = (async () => {
    for await (const event of session.events()) everything.push(event);
  })();
  const pieces = Array.from({ length: 120 }, () => `stream ${40 + random.below(80)}; sleep ${random.below(12)}`);
  const turn = session.prompt(pieces.join("; "));
  const seen: ReinsEvent[] = [];
  let cuts = 0;
  let next = 1 + random.below(60);
  for await (const event of turn) {
    seen.push(event);
    if (cuts === 100 || --next > 0) continue;
    next = 1 + random.below(60);
    if (proxy.cut() > 0) cuts++;
  }
  const result = await turn.result;
  await session.close();
  await reading;
  const log = await logged(server, session.id);
  expect({ cuts, seed: random.seed }).toEqual({ cuts: 100, seed: random.seed });
  expect(result).toMatchObject({ outcome: "done" });
  expect(everything.map(({ seq }) => seq)).toEqual(log.map(({ seq }) => seq));
  expect(everything).toEqual(log);
  expect(seen).toEqual(log.filter(({ seq }) => seq >= seen[0]!.seq && seq <= result.seq));
});

test("repeats a prompt and an answer whose connections were cut, with effect once", async () => {
  const { proxy, reins } = await apart();
  const session = await reins.session({ agent: "demo", attended: true });
  const turn = session.prompt("run echo hello");
  proxy.cut();
  const seen: ReinsEvent[] = [];
  for await (const event of turn) {
    seen.push(event);
    if (event.type !== "permission.requested") continue;
    session.answer(event.requestId, "allow");
    proxy.cut();
  }
  expect(seen.filter(({ type }) => type === "turn.started")).toHaveLength(1);
  expect(seen.filter(({ type }) => type === "permission.resolved")).toMatchObject([{ outcome: "allowed" }]);
});

test("fetches the events that a slow reader missed", async () => {
  const { server, reins } = await apart();
  const session = await reins.session({ agent: "demo" });
  const events = session.events()[Symbol.asyncIterator]();
  const seen = [(await Promise.all([events.next(), session.prompt("stream 40000").result]))[0].value as ReinsEvent];
  await session.close();
  for (let next = await events.next(); next.done !== true; next = await events.next()) seen.push(next.value);
  expect(seen).toEqual(await logged(server, session.id));
});
