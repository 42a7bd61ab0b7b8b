import { expect, test } from "vitest";
import { ReinsError } from "../../events/errors.ts";
import type { Api } from "./client-http.ts";
import { clientV0, conversation } from "./client-v0.ts";
import { clientV1 } from "./client-v1.ts";

type Answers = Readonly<Record<string, unknown>>;

/** An API with these answers by endpoint name. Functions are called, errors thrown. */
function api(answers: Answers) {
  const calls: [name: string, asked: unknown][] = [];
  const call = async (name: string, asked?: unknown): Promise<unknown> => {
    calls.push([name, asked]);
    const given = answers[name];
    const answer: unknown = typeof given === "function" ? (given as () => unknown)() : given;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { api: { call } as unknown as Api, calls };
}

const v1 = (answers: Answers) => clientV1(api(answers).api);
const v0 = (answers: Answers) => clientV0(api(answers).api);
const agent = { id: "bc-1", repos: [] };
const run = { id: "run-1", status: "RUNNING" };
const launch = (agentId: string | undefined) => ({ v0: {}, v1: {}, agentId });
const withRefusal = (status: number, body: object = {}): ReinsError =>
  new ReinsError("internal", `Refused with ${status}.`, { cause: { status, body } });
const busy = withRefusal(409, { code: "agent_busy" });
const conflict = withRefusal(409, { code: "agent_id_conflict" });
const broken = withRefusal(500);

test("finds an agent whose answer was lost by its id only", async () => {
  const found = { agent: { ...agent, latestRunId: "run-1" }, run };
  for (const create of [broken, conflict, new Error("cut")])
    expect(await v1({ ...found, create }).create(launch("bc-1"), {})).toMatchObject({
      agent: { id: "bc-1" },
      run: { id: "run-1" },
    });
  await expect(v1({ ...found, create: busy }).create(launch("bc-1"), {})).rejects.toBe(busy);
  await expect(v1({ ...found, createUnnamed: broken }).create(launch(undefined), {})).rejects.toBe(broken);
  await expect(v1({ agent, create: broken }).create(launch("bc-1"), {})).rejects.toBe(broken);
  await expect(v1({ agent: broken, create: conflict }).create(launch("bc-1"), {})).rejects.toBe(conflict);
});

test("counts a prompt whose answer was lost as sent when there is a new run", async () => {
  const found = { agent: { ...agent, latestRunId: "run-1" }, run };
  const start = (answers: Answers, before?: string) => v1(answers).startRun("bc-1", { v0: {}, v1: {} }, { before });
  expect(await start({ ...found, startRun: { run } })).toMatchObject({ id: "run-1" });
  expect(await start({ ...found, startRun: broken }, "run-0")).toMatchObject({ id: "run-1" });
  await expect(start({ ...found, startRun: broken }, "run-1")).rejects.toBe(broken);
  await expect(start({ ...found, startRun: busy })).rejects.toBe(busy);
  await expect(start({ agent: broken, startRun: new Error("cut") })).rejects.toThrow("cut");
});

test("reports that a finished run cannot be cancelled, and throws other refusals", async () => {
  expect(await v1({ cancel: { id: "run-1" } }).cancel("bc-1", "run-1")).toBe(true);
  expect(await v1({ cancel: busy }).cancel("bc-1", "run-1")).toBe(false);
  await expect(v1({ cancel: broken }).cancel("bc-1", "run-1")).rejects.toBe(broken);
  const working = { legacyAgent: { id: "bc_1", status: "RUNNING" } };
  expect(await v0({ legacyAgent: { id: "bc_1", status: "FINISHED" } }).cancel("bc_1", "")).toBe(false);
  expect(await v0({ ...working, legacyStop: { id: "bc_1" } }).cancel("bc_1", "")).toBe(true);
  expect(await v0({ ...working, legacyStop: busy }).cancel("bc_1", "")).toBe(false);
  await expect(v0({ ...working, legacyStop: broken }).cancel("bc_1", "")).rejects.toBe(broken);
});

test("treats usage of only zeros as unknown", async () => {
  const usage = (runs: object[]) => v1({ usage: { runs } }).runUsage("bc-1", "run-1");
  expect(await usage([])).toBeUndefined();
  expect(await usage([{ id: "run-1", usage: {} }])).toBeUndefined();
  expect(await usage([{ id: "run-0", usage: { inputTokens: 1 } }])).toBeUndefined();
  const told = { id: "run-1", usage: { inputTokens: 1, cacheReadTokens: 2 }, cost: { chargedCents: 50 } };
  const amounts = { run: "run-1", input: 1, output: 0, cacheRead: 2, cacheWrite: 0 };
  expect(await usage([told])).toEqual({ ...amounts, costUsd: 0.5 });
  const cheap = { ...told, cost: undefined };
  expect(await v1({ usage: { runs: [cheap] } }).usage("bc-1")).toEqual([amounts]);
  expect(await v0({}).runUsage("bc_1", "")).toBeUndefined();
});

test.each([
  [{ status: "ACTIVE" }, undefined, "working"],
  [{ status: "ACTIVE" }, "RUNNING", "working"],
  [{ status: "ACTIVE" }, "FINISHED", "idle"],
  [{ status: "IDLE" }, "ERROR", "failed"],
  [{ status: "ARCHIVED" }, "RUNNING", "archived"],
  [{ status: "NEW" }, undefined, "unknown"],
  [{}, undefined, "unknown"],
])("maps the status of an agent %j with a run %s to %s", async (about, status, wanted) => {
  const latestRunId = status === undefined ? undefined : "run-1";
  const client = v1({ agent: { ...agent, ...about, latestRunId }, run: { ...run, status } });
  expect(await client.get("bc-1")).toMatchObject({ status: wanted });
});

test("handles an agent without a run, a run with an error, and repositories without an address", async () => {
  expect(await v1({ agent }).latestRun("bc-1")).toBeUndefined();
  expect(await v1({ agent: { ...agent, latestRunId: "run-1" }, run }).latestRun("bc-1")).toMatchObject(run);
  expect(await v1({ run: { id: "r", error: "Bad." } }).run("bc-1", "r")).toMatchObject({
    status: "",
    error: { message: "Bad." },
  });
  const error = { code: "internal", message: "Bad." };
  const git = { branches: [{ repoUrl: "a/b", branch: "c" }] };
  expect(await v1({ run: { id: "r", error, git } }).run("bc-1", "r")).toMatchObject({
    error,
    branches: [{ repository: "a/b", branch: "c" }],
  });
  const repos = [{ url: "https://a/b" }, {}];
  expect(await v1({ agent: { ...agent, repos } }).get("bc-1")).toMatchObject({ repositories: ["https://a/b"] });
});

test("passes list options on, and gives up on an endless list", async () => {
  const listed = api({ list: { items: [agent], nextCursor: "next" }, legacyList: { agents: [{ id: "bc_1" }] } });
  expect(await clientV1(listed.api).list()).toMatchObject({ agents: [{ id: "bc-1" }], cursor: "next" });
  expect(await clientV1(listed.api).list({ limit: 1, archived: true, pullRequest: "p" })).toBeDefined();
  expect(await clientV0(listed.api).list()).toMatchObject({ agents: [{ id: "bc_1" }] });
  expect(await clientV0(listed.api).list({ limit: 2, cursor: "c", pullRequest: "p" })).toBeDefined();
  expect(listed.calls.map(([, asked]) => (asked as { query: object }).query)).toEqual([
    { includeArchived: false },
    { limit: 1, prUrl: "p", includeArchived: true },
    {},
    { limit: 2, cursor: "c", prUrl: "p" },
  ]);
  const endless = api({ runs: { items: [run], nextCursor: "more" } });
  expect(await clientV1(endless.api).runs("bc-1")).toHaveLength(20);
  const pages = [{ items: [run, { ...run, id: "run-0" }], nextCursor: "more" }, { items: [{ ...run, id: "run--1" }] }];
  const ordered = await v1({ runs: () => pages.shift() }).runs("bc-1");
  expect(ordered.map(({ id }) => id)).toEqual(["run--1", "run-0", "run-1"]);
});

test("reads accounts, models, artifacts and repositories with missing fields", async () => {
  expect(await v1({ me: {} }).me()).toEqual({ key: undefined, email: undefined, name: undefined });
  const named = { apiKeyName: "k", userEmail: "e", userFirstName: "A", userLastName: "B" };
  expect(await v1({ me: named }).me()).toEqual({ key: "k", email: "e", name: "A B" });
  expect(await v0({ legacyMe: named }).me()).toEqual({ key: "k", email: "e" });
  const items = [{ id: "m", displayName: "M", aliases: ["n"] }];
  expect(await v1({ models: { items } }).models()).toMatchObject([{ id: "m", label: "M", aliases: ["n"] }]);
  expect(await v0({ legacyModels: { models: ["m"] } }).models()).toEqual([{ id: "m" }]);
  const artifacts = [{ absolutePath: "/a", sizeBytes: 1 }, { path: "b" }, {}];
  expect(await v0({ legacyArtifacts: { artifacts } }).artifacts("bc_1")).toMatchObject([
    { path: "/a", bytes: 1 },
    { path: "b" },
  ]);
  expect(await v1({ artifacts: { items: [{ path: "b" }] } }).artifacts("bc-1")).toMatchObject([{ path: "b" }]);
  const repositories = [{ repository: "https://a/b" }, {}];
  expect(await v0({ legacyRepositories: { repositories } }).repositories()).toEqual(["https://a/b"]);
});

test("shows an agent of the older API as its one run, without the newer features", async () => {
  const source = { repository: "https://a/b" };
  const target = { branchName: "c", prUrl: "p", url: "u" };
  const finished = { id: "bc_1", status: "FINISHED", source, target, summary: "Done." };
  const client = v0({ legacyAgent: finished, legacyFollowUp: { id: "bc_1" }, legacyRemove: { id: "bc_1" } });
  const branches = [{ repository: "https://a/b", branch: "c", pullRequest: "p" }];
  expect(await client.get("bc_1")).toMatchObject({ status: "idle", repositories: ["https://a/b"], branches, url: "u" });
  expect(await client.runs("bc_1")).toMatchObject([{ status: "FINISHED", result: "Done.", branches }]);
  expect(await client.startRun("bc_1", { v0: {}, v1: {} }, { before: undefined })).toMatchObject({ id: "bc_1" });
  await client.remove("bc_1");
  expect(await v0({ legacyAgent: { id: "bc_2" } }).get("bc_2")).toMatchObject({
    status: "unknown",
    repositories: [],
    branches: [],
  });
  const onlyRequest = { id: "bc_3", status: "FINISHED", target: { prUrl: "p" } };
  expect(await v0({ legacyAgent: onlyRequest }).get("bc_3")).toMatchObject({ branches: [{ pullRequest: "p" }] });
  const missing = [client.archive("bc_1", true), client.artifactUrl("bc_1", "a"), client.usage("bc_1")];
  for (const one of missing) await expect(one).rejects.toMatchObject({ code: "unsupported" });
});

test("reads a conversation of the older API with its authors", async () => {
  const messages = [
    { type: "user_message", text: "Hi" },
    { type: "assistant_message", text: "Hello" },
  ];
  expect(await conversation(api({ legacyConversation: { messages } }).api, "bc_1")).toEqual([
    { role: "person", text: "Hi" },
    { role: "agent", text: "Hello" },
  ]);
});
