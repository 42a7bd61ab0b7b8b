import { expect, test } from "vitest";
import { cloud } from "../../../test/support/cloud.ts";
import { scenarioPrompt } from "../../testing/index.ts";
import type { PastEvent, PastSession } from "../contract.ts";

const prompt = scenarioPrompt("text");

async function withOne(given: Readonly<Record<string, string>> = {}) {
  const place = await cloud(given);
  const { drive } = await place.open({ remote: { repository: "https://github.com/o/r", name: "One" } });
  await drive.turn(prompt);
  return { ...place, drive, id: place.api.agents[0]!.id, there: place.agent.manage.cloud! };
}

test("manages an agent from its list entry to its deletion", async () => {
  const { there, id, drive, api } = await withOne();
  expect(await there.list()).toMatchObject({ agents: [{ id, name: "One", status: "idle" }], cursor: undefined });
  expect(await there.get(id)).toMatchObject({
    state: `cursor-cloud:1:${id}`,
    repositories: ["https://github.com/o/r"],
    branches: [{ repository: "github.com/o/r" }],
  });
  expect(there.idOf(`cursor-cloud:1:${id}:run-1`)).toBe(id);
  expect(await there.stop(id)).toBe(false);
  await drive.session.prompt({ text: scenarioPrompt("slow-text") });
  expect((await there.get(id)).status).toBe("working");
  expect(await there.stop(id)).toBe(true);
  await api.agents[0]!.runs[1]!.done;
  // Background work after a run keeps the machine running, but no more messages come.
  api.faults.add({
    path: /bc-[\w-]+$/,
    answer: () => ({ id, status: "ACTIVE", latestRunId: api.agents[0]!.runs[1]!.id }),
  });
  expect((await there.get(id)).status).toBe("idle");
  await api.agents[0]!.runs[1]!.done;
  expect(await there.artifacts(id)).toMatchObject([{ path: "artifacts/shot.png", bytes: 3 }]);
  expect((await there.artifactUrl(id, "artifacts/shot.png")).url).toBe("https://example.com/signed");
  await expect(there.artifactUrl(id, "/etc/passwd")).rejects.toMatchObject({ code: "invalid_input" });
  expect(await there.usage(id)).toMatchObject([{ input: 100, output: 20 }, { input: 0 }]);
  await there.archive(id);
  expect((await there.list()).agents).toEqual([]);
  expect((await there.list({ archived: true })).agents).toMatchObject([{ status: "archived" }]);
  await there.unarchive(id);
  await there.remove(id);
  for (const gone of [there.get(id), there.stop(id)])
    await expect(gone).rejects.toMatchObject({
      code: "session_not_found",
      message: `Cursor Cloud has no agent ${id}.`,
      help: expect.stringContaining("cloud list") as string,
    });
});

test("asks for repositories once a minute, even after a failure, and does not retry", async () => {
  const { agent, api } = await cloud();
  const there = agent.manage.cloud!;
  api.faults.add({ path: /\/repositories$/, times: 9, answer: { status: 503 } });
  await expect(there.repositories()).rejects.toMatchObject({ code: "overloaded" });
  await expect(there.repositories()).rejects.toMatchObject({ code: "overloaded" });
  expect(api.calls.filter(({ path }) => path.endsWith("/repositories"))).toHaveLength(1);
});

test("lists further pages", async () => {
  const { agent, open, api } = await cloud();
  for (let index = 0; index < 3; index++) await (await open()).drive.turn(prompt);
  const there = agent.manage.cloud!;
  const first = await there.list({ limit: 2 });
  const second = await there.list({ limit: 2, cursor: first.cursor });
  expect([...first.agents, ...second.agents].map(({ id }) => id)).toEqual(api.agents.map(({ id }) => id));
  expect(second.cursor).toBeUndefined();
});

test("reports the account of the key, its models, and whether it works", async () => {
  const { agent, api } = await cloud();
  const { manage } = agent;
  expect(await manage.cloud!.me()).toEqual({ key: "made up", email: "ada@example.com", name: undefined });
  expect(await manage.cloud!.repositories()).toEqual(["https://github.com/example/one"]);
  await manage.cloud!.repositories();
  expect(api.calls.filter(({ path }) => path.endsWith("/repositories"))).toHaveLength(1);
  expect((await manage.models!()).map(({ id }) => id)).toEqual(["scripted-1", "scripted-2"]);
  expect(await manage.about!()).toContainEqual({ label: "Account", value: "ada@example.com" });
  expect(await manage.verify!()).toMatchObject({ outcome: "works" });
  api.faults.add({ path: /./, answer: { status: 401 } });
  expect(await manage.verify!()).toMatchObject({ outcome: "refused" });
  expect(await (await cloud({ CURSOR_API_KEY: "" })).agent.manage.verify!()).toMatchObject({ outcome: "no_key" });
});

test("sends no request for an invalid id", async () => {
  const { agent, api } = await cloud();
  for (const id of ["../me", "bc-1/runs", "", "ses_1"])
    await expect(agent.manage.cloud!.get(id)).rejects.toMatchObject({ code: "invalid_input" });
  expect(api.calls).toEqual([]);
});

test("reports which functions the older API lacks", async () => {
  const { there, id, agent } = await withOne({ REINS_CURSOR_CLOUD_API: "v0" });
  expect((await there.list()).agents).toMatchObject([{ id, status: "idle" }]);
  expect(await there.artifacts(id)).toMatchObject([{ path: "/opt/cursor/artifacts/shot.png" }]);
  for (const missing of [there.archive(id), there.usage(id), there.artifactUrl(id, "x")])
    await expect(missing).rejects.toMatchObject({ code: "unsupported" });
  expect((await agent.manage.models!()).map((one) => one.id)).toEqual(["scripted-1", "scripted-2"]);
  expect(await there.repositories()).toEqual(["https://github.com/example/one"]);
  expect(await there.stop(id)).toBe(false);
  await there.remove(id);
  await expect(there.get(id)).rejects.toMatchObject({ code: "session_not_found" });
});

async function read(place: Awaited<ReturnType<typeof withOne>>): Promise<PastEvent[]> {
  const { history } = place.agent.manage;
  const events: PastEvent[] = [];
  for await (const past of history!.list()) for await (const batch of history!.read(past)) events.push(...batch);
  return events;
}

const types = (events: readonly PastEvent[]) => events.map((one) => ("prompt" in one ? "prompt" : one.event.type));

test("reads a conversation from its runs, as far as available", async () => {
  const place = await withOne();
  const told = await read(place);
  expect(types(told).slice(-2)).toEqual(["message.completed", "turn.ended"]);
  expect(types(told).length).toBeGreaterThan(3);
  place.api.faults.expired = true;
  place.api.faults.add({ path: /^\/v0\/.*conversation$/, answer: { status: 410 } });
  expect(types(await read(place))).toEqual(["message.delta", "message.completed", "turn.ended"]);
});

test.each([401, 403, 410])("reads from the runs when the older API refuses with %i", async (status) => {
  const place = await withOne();
  place.api.faults.add({ path: /^\/v0\/.*conversation$/, answer: { status } });
  expect(types(await read(place)).slice(-2)).toEqual(["message.completed", "turn.ended"]);
});

test("does not ask the older API when only the newer is configured", async () => {
  const place = await withOne({ REINS_CURSOR_CLOUD_API: "v1" });
  expect(types(await read(place)).slice(-2)).toEqual(["message.completed", "turn.ended"]);
  expect(place.api.calls.filter(({ path }) => path.startsWith("/v0/"))).toEqual([]);
});

test("reports a key that no version accepts", async () => {
  const place = await withOne({ REINS_CURSOR_CLOUD_API: "v0" });
  place.api.faults.add({ path: /conversation$|bc_\w+$/, times: 9, answer: { status: 401 } });
  const reading = place.agent.manage.history!.read({ state: `cursor-cloud:1:${place.id}` } as PastSession);
  await expect(reading[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: "not_authenticated" });
});

test("reads both sides of a conversation of the older API", async () => {
  const place = await withOne({ REINS_CURSOR_CLOUD_API: "v0" });
  expect(types(await read(place))).toEqual(["prompt", "message.completed", "turn.ended"]);
});

test("lists nothing without a key, and only agents of the folder's repository for a folder", async () => {
  const list = async (place: Awaited<ReturnType<typeof cloud>>, cwd?: string) => {
    const found: string[] = [];
    for await (const { id } of place.agent.manage.history!.list({ cwd })) found.push(id);
    return found;
  };
  expect(await list(await cloud({ CURSOR_API_KEY: "" }))).toEqual([]);
  const place = await withOne();
  expect(await list(place, place.cwd)).toEqual([]);
  const { execFileSync } = await import("node:child_process");
  const git = (...args: string[]) => execFileSync("git", args, { cwd: place.cwd });
  git("init", "-q");
  git("remote", "add", "origin", "git@github.com:o/r.git");
  expect(await list(place, place.cwd)).toEqual([place.id]);
});
