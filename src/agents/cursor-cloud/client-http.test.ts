/** Answers of the service and how they are handled. */
import { expect, test } from "vitest";
import { cloud } from "../../../test/support/cloud.ts";
import { Api } from "./client-http.ts";
import type { Clock } from "./rate-limit.ts";
import { settingsOf } from "./program.ts";
import { Versions } from "./service.ts";

async function service(given: Readonly<Record<string, string>> = {}) {
  const place = await cloud(given);
  const slept: number[] = [];
  let now = Date.parse("2026-04-13T18:30:00.000Z");
  const clock: Clock = {
    now: () => now,
    sleep: async (ms) => {
      slept.push(ms);
      now += ms;
    },
  };
  const api = new Api({ settings: settingsOf(place.env), requestMs: 5_000, maxBytes: 1_000_000, clock });
  return { ...place, api: place.api, client: api, versions: new Versions(api), slept };
}

const everything = /./;

test.each([
  [401, { error: "Unauthorized", message: "Invalid API key" }, "not_authenticated", "Invalid API key"],
  [403, { error: "Forbidden", message: "Enterprise access required" }, "not_authenticated", "Enterprise"],
  [402, {}, "quota_exhausted", "402"],
  [404, { error: "Not Found" }, "session_not_found", "Not Found"],
  [409, { code: "agent_busy", message: "A run goes on." }, "session_busy", "A run goes on"],
  [409, { code: "else" }, "invalid_input", "409"],
  [410, { error: { code: "stream_expired", message: "Gone." } }, "session_not_found", "Gone"],
  [408, "", "timeout", "408"],
  [400, { message: "Unknown model x" }, "model_unknown", "Unknown model x"],
  [422, "<html>", "invalid_input", "422"],
  [429, { message: "You have reached your spending limit" }, "quota_exhausted", "spending limit"],
])("classifies status %i with %o as %s", async (status, body, code, words) => {
  const { api, client, slept } = await service();
  api.faults.add({ path: everything, answer: { status, body } });
  const error: unknown = await client.call("agent", { params: { id: "bc-1" } }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code, agent: "cursor-cloud", message: expect.stringContaining(words) as string });
  expect(JSON.stringify(error)).not.toContain("crsr_");
  expect(slept).toEqual([]);
});

test("waits after too many requests as long as the service says, up to a minute", async () => {
  const { api, client, slept } = await service();
  const busy = (seconds: string) =>
    api.faults.add({
      path: everything,
      answer: { status: 429, headers: { "retry-after": seconds }, body: { code: "error" } },
    });
  busy("7");
  busy("Mon, 13 Apr 2026 18:30:10 GMT");
  const retries: unknown[] = [];
  expect(await client.call("me", { onRetry: (event) => retries.push(event) })).toMatchObject({ apiKeyName: "made up" });
  expect(slept).toEqual([7_000, 3_000]);
  expect(retries).toMatchObject([
    { type: "agent.retrying", attempt: 1, delayMs: 7_000, error: { code: "rate_limited" } },
    { attempt: 2 },
  ]);
  busy("3600");
  await expect(client.call("me")).rejects.toMatchObject({
    code: "rate_limited",
    resetsAt: "2026-04-13T19:30:10.000Z",
  });
});

test("retries server errors and lost answers when safe, and gives up eventually", async () => {
  const { api, client, slept } = await service();
  api.faults.add({ path: everything, answer: { status: 500 } });
  api.faults.add({ path: everything, answer: "destroy" });
  await client.call("me");
  expect(slept).toHaveLength(2);
  api.faults.add({ path: everything, times: 99, answer: { status: 503, body: "<html>" } });
  await expect(client.call("me")).rejects.toMatchObject({ code: "overloaded" });
  expect(slept).toHaveLength(6);
  await expect(client.call("startRun", { params: { id: "bc-1" }, body: {} })).rejects.toMatchObject({
    code: "overloaded",
  });
  expect(slept).toHaveLength(6);
});

test.each([
  ["<html>Sorry</html>", "network"],
  ['{"items":', "network"],
  ["[1,2]", "protocol_error"],
  ["null", "protocol_error"],
  ["", "protocol_error"],
])("reports an unreadable answer: %s", async (body, code) => {
  const { api, client } = await service();
  api.faults.add({ path: everything, answer: { status: 200, body } });
  const message = expect.stringContaining("unreadable") as string;
  await expect(client.call("agent", { params: { id: "bc-1" } })).rejects.toMatchObject({ code, message });
});

test("keeps unknown fields and treats fields of another type as missing", async () => {
  const { api, client } = await service();
  const body = {
    items: [{ id: "bc-1", name: 7, status: "ACTIVE", further: true }, 5, { name: "no id" }],
    nextCursor: null,
  };
  api.faults.add({ path: everything, answer: { status: 200, body } });
  const { items, nextCursor } = await client.call("list");
  expect(items).toMatchObject([{ id: "bc-1", status: "ACTIVE", further: true }]);
  expect([items[0]?.name, nextCursor]).toEqual([undefined, undefined]);
});

test("does not download an unchanged answer again", async () => {
  const { api, client } = await service();
  const first = await client.call("models");
  expect(await client.call("models")).toEqual(first);
  expect(api.calls.map(({ headers }) => headers["if-none-match"] === undefined)).toEqual([true, false]);
});

test("accepts both kinds of authentication", async () => {
  for (const scheme of ["basic", "bearer"]) {
    const { client } = await service({ REINS_CURSOR_CLOUD_AUTH: scheme });
    expect(await client.call("me")).toMatchObject({ apiKeyName: "made up" });
  }
  const { client } = await service({ CURSOR_API_KEY: "wrong" });
  await expect(client.call("me")).rejects.toMatchObject({ code: "not_authenticated" });
});

test("keeps the rate limit of each endpoint", async () => {
  const { client, slept } = await service();
  for (let index = 0; index < 21; index++) await client.call("me");
  expect(slept).toEqual([60_000]);
  await client.call("repositories");
  await client.call("repositories");
  expect(slept).toEqual([60_000, 60_000]);
});

test("falls back to the older API when the newer is missing, and uses it for its own agents", async () => {
  const { api, versions } = await service();
  expect(versions.of("bc_abc").version).toBe("v0");
  expect(versions.of("bc-abc").version).toBe("v1");
  api.faults.olderOnly = true;
  expect(await versions.any(async (client) => (await client.me(), client.version))).toBe("v0");
  expect(await versions.any(async (client) => client.version)).toBe("v0");
  expect(api.calls.map(({ path }) => path)).toEqual(["/v1/me", "/v1/me", "/v0/me"]);
});

test("does not switch the version when one agent is not found", async () => {
  const { versions } = await service();
  const asked: string[] = [];
  const work = versions.any(async (client) => {
    asked.push(client.version);
    return client.get("bc-nobody");
  });
  await expect(work).rejects.toMatchObject({ code: "session_not_found" });
  expect(asked).toEqual(["v1"]);
});
