/** Cloud agents in the whole interface, with a mock service. */
import { expect, test, vi } from "vitest";
import { cloudService } from "../../../test/support/cloud.ts";
import { testFolder } from "../../../test/support/core.ts";
import { git, repository } from "../../../test/support/repository.ts";
import { keys, openTui, type Tui, type TuiOptions } from "../../../test/support/tui.ts";
import { scenarioPrompt } from "../../testing/index.ts";

const address = "https://example.com/team/project";
const patience = { timeout: 30_000 };
const hello = "Hello from the scripted model.";

interface Place {
  readonly remote?: boolean;
  readonly options?: TuiOptions;
}

async function open({ remote = true, options = {} }: Place = {}) {
  const cwd = testFolder();
  repository(cwd);
  if (remote) git(cwd, "remote", "add", "origin", "git@example.com:team/project.git");
  const service = await cloudService(cwd);
  const tui = openTui({ cwd, columns: 110, rows: 30, variables: service.env, ...options });
  // Wait for the status bar's own request first, so that it does not consume an injected failure.
  await vi.waitFor(() => expect(service.api.calls.some(({ path }) => path === "/v1/agents")).toBe(true), patience);
  return { ...service, cwd, tui };
}

/** Starts an agent with git's suggestion. */
async function start(tui: Tui, prompt: string): Promise<void> {
  tui.send(`& ${prompt}`);
  await tui.shows("Start agent");
  tui.type(keys.enter);
}

function showPanel(tui: Tui): Promise<void> {
  tui.type(keys.ctrl("x"));
  tui.type("c");
  return tui.shows("Ctrl+D delete");
}

test("asks once for the target with git's suggestion, then starts the agent", async () => {
  const { tui, api, cwd } = await open();
  tui.send(`& ${scenarioPrompt("text")}`);
  await tui.shows("Start agent");
  expect(tui.screen()).toMatch(/Repository +https:\/\/example\.com\/team\/project/);
  expect(tui.screen()).toMatch(/Start from +main/);
  expect(tui.screen()).toContain("The branch main is not pushed");
  expect(api.agents).toHaveLength(0);
  tui.type(`${keys.up}${keys.up}${keys.enter}`);
  await tui.shows("opened when done");
  tui.type(`${keys.down}${keys.enter}`);
  await tui.hides("Start agent");
  await tui.shows(hello);
  expect(api.agents[0]?.asked).toMatchObject({ repos: [{ url: address, startingRef: "main" }], autoCreatePR: true });
  // The second time it does not ask again.
  tui.send("/clear");
  await tui.hides(hello);
  tui.send(`& ${scenarioPrompt("text")}`);
  await vi.waitFor(() => expect(api.agents).toHaveLength(2), patience);
  expect(api.agents[0]?.asked).toMatchObject({ autoCreatePR: true });
  expect((await tui.reins.cloudTarget({ cwd })).remembered).toMatchObject({ repository: address, createPr: true });
});

test(String.raw`\& is a plain ampersand for the agent on the screen`, async () => {
  const { tui, api } = await open();
  tui.send(String.raw`\& say it`);
  await tui.shows("& say it");
  expect(tui.screen()).not.toContain("Start agent");
  expect(api.agents).toHaveLength(0);
});

test("takes plain prompts for a cloud agent, with a model of the service's list", async () => {
  const { tui, api } = await open({ options: { first: { agent: "cursor-cloud" } } });
  tui.type(keys.ctrl("x"));
  tui.type("m");
  await tui.shows(/Scripted 1/);
  await tui.shows(/Scripted 2/);
  tui.type(`${keys.down}${keys.enter}`);
  await tui.shows("scripted-2");
  tui.send(scenarioPrompt("text"));
  await tui.shows("Start agent");
  tui.type(keys.enter);
  await tui.shows(hello);
  expect(api.agents[0]?.asked).toMatchObject({ repos: [{ url: address }], model: { id: "scripted-2" } });
});

test("keeps the prompt and starts nothing on Esc in the form", async () => {
  const { tui, api } = await open();
  tui.send("& do something");
  await tui.shows("Start agent");
  tui.type(keys.escape);
  await tui.hides("Start agent");
  expect(tui.screen()).toContain("& do something");
  expect(api.agents).toHaveLength(0);
});

test("keeps the session on the screen while the cloud agent works in the background", async () => {
  const { tui, api } = await open();
  tui.send("say here I am");
  await tui.shows("here I am");
  await start(tui, scenarioPrompt("text"));
  await tui.shows("Ctrl+N shows it");
  await vi.waitFor(() => expect(api.agents[0]?.runs[0]?.status).toBe("FINISHED"), patience);
  expect(tui.screen()).toContain("here I am");
  tui.type(keys.ctrl("n"));
  await tui.shows(hello);
});

test("requires a repository without a remote, from the service's list or by its address", async () => {
  const { tui, api } = await open({ remote: false });
  tui.send(`& ${scenarioPrompt("text")}`);
  await tui.shows("This folder has no remote");
  tui.type(keys.enter);
  await tui.shows("No repository is chosen");
  tui.type(keys.enter);
  await tui.shows("1 repositories");
  tui.type(`${keys.down}${keys.enter}`);
  await tui.shows(/Repository +https:\/\/github\.com\/example\/one/);
  // The list is requested at most once a minute.
  tui.type(keys.enter);
  await tui.shows("1 repositories");
  tui.type(keys.enter);
  await tui.shows("Such as https://github.com/team/project");
  tui.type(`${keys.ctrl("u")}not an address${keys.enter}`);
  await tui.shows(/Repository +not an address/);
  tui.type(`${keys.up}${keys.enter}`);
  await tui.shows("is not the address of a repository");
  tui.type(`${keys.down}${keys.enter}`);
  await tui.shows("1 repositories");
  tui.type(`${keys.down}${keys.enter}`);
  await tui.shows(/Repository +https:\/\/github\.com\/example\/one/);
  tui.type(`${keys.up}${keys.enter}`);
  await tui.shows(hello);
  expect(api.agents[0]?.asked).toMatchObject({ repos: [{ url: "https://github.com/example/one" }] });
  expect(api.calls.filter(({ path }) => path.endsWith("/repositories"))).toHaveLength(1);
});

test("says how to sign in in one sentence, and keeps the prompt", async () => {
  const tui = openTui({ columns: 110 });
  tui.send("& do something");
  await tui.shows("You are not signed in to");
  await tui.shows("CURSOR_API_KEY");
  expect(tui.screen()).toContain("& do something");
  tui.type(keys.ctrl("c"));
  tui.send("/cloud");
  await tui.shows(/You are not signed in[\s\S]*You are not signed in/);
});

test("panel: shows badges and the conversation, follows up, stops and deletes; the status bar counts running agents", async () => {
  const { tui, api } = await open();
  await start(tui, scenarioPrompt("text", undefined, "first"));
  await tui.shows(hello);
  tui.send("/clear");
  tui.send(`& ${scenarioPrompt("slow-text", undefined, "second")}`);
  await vi.waitFor(() => expect(api.agents).toHaveLength(2), patience);
  await showPanel(tui);
  await tui.shows(/running +scenario:slow-text second/);
  await tui.shows(/finished +scenario:text first/);
  await tui.shows("1 in the cloud");
  tui.type(keys.ctrl("s"));
  await tui.shows("Run stopped.");
  await tui.shows(/finished +scenario:slow-text second/);
  await tui.hides("1 in the cloud");
  tui.type(keys.ctrl("d"));
  await tui.shows("Delete this cloud agent?");
  tui.type("n");
  await tui.hides("Delete this cloud agent?");
  expect(api.agents).toHaveLength(2);
  await showPanel(tui);
  tui.type(keys.ctrl("d"));
  await tui.shows("Delete this cloud agent?");
  tui.type("y");
  await tui.shows("Cloud agent deleted.");
  expect(api.agents).toHaveLength(1);
  await tui.shows(/finished +scenario:text first/);
  expect(tui.screen()).not.toContain("second");
  tui.type(keys.enter);
  await tui.hides("Ctrl+D delete");
  await tui.shows(hello);
  await tui.shows(/Cloud · full/);
  tui.send(scenarioPrompt("text", undefined, "follow-up"));
  await vi.waitFor(() => expect(api.agents[0]?.runs).toHaveLength(2), patience);
  await vi.waitFor(async () => {
    await tui.port.settle();
    expect(tui.screen().split(hello)).toHaveLength(3);
  }, patience);
});

test("opens the stored session of a cloud agent instead of a copy", async () => {
  const { tui, api } = await open({ options: { keep: true } });
  await start(tui, scenarioPrompt("text"));
  await tui.shows(hello);
  tui.send("/clear");
  await tui.hides(hello);
  await showPanel(tui);
  tui.type(keys.enter);
  await tui.shows(hello);
  tui.send(scenarioPrompt("text", undefined, "again"));
  await vi.waitFor(() => expect(api.agents[0]?.runs).toHaveLength(2), patience);
  expect(await tui.reins.sessions.list()).toHaveLength(1);
});

test("loads a long list page by page", async () => {
  const { tui, api } = await open();
  await start(tui, scenarioPrompt("text"));
  await tui.shows(hello);
  const [one] = api.agents;
  const at = (index: number) => ({ ...one!, id: `bc-copy-${index}`, name: `Copy ${index}` });
  (api.agents as (typeof one)[]).push(...Array.from({ length: 60 }, (_, index) => at(index)));
  await showPanel(tui);
  tui.type("\x1b[F");
  await tui.shows("Load more…");
  expect(tui.screen()).not.toContain("Copy 59");
  tui.type(`${keys.up}${keys.enter}`);
  await tui.shows("Copy 55");
  tui.type("Copy 59");
  await tui.shows(/finished +Copy 59/);
  expect(tui.screen()).not.toContain("Load more…");
});

test("reports a service that is down, rate-limited or sends garbage in one sentence, and continues", async () => {
  const { tui, api } = await open();
  api.faults.add({ path: /\/v1\/agents$/, answer: { status: 200, body: "<!doctype html><title>Hi</title>" } });
  tui.send("/cloud");
  await tui.shows("an unreadable answer");
  api.faults.add({
    path: /\/v1\/agents$/,
    answer: { status: 429, headers: { "retry-after": "3600" }, body: { message: "Rate limit exceeded" } },
  });
  tui.send("/cloud");
  await tui.shows("429");
  api.faults.add({ path: /\/v1\/agents$/, answer: { status: 403, body: { message: "Access denied." } } });
  tui.send("/cloud");
  await tui.shows("Access denied.");
  tui.send("say still here");
  await tui.shows("still here");
});

test("removes an agent that another window deleted, and says so on opening it", async () => {
  const { tui, api } = await open();
  await start(tui, scenarioPrompt("text"));
  await tui.shows(hello);
  tui.send("/clear");
  await showPanel(tui);
  (api.agents as unknown[]).splice(0);
  tui.type(keys.ctrl("d"));
  await tui.shows("Delete this cloud agent?");
  tui.type("y");
  await tui.shows("Cloud agent deleted.");
  expect(tui.screen()).toContain("No cloud agents yet");
});

test("neutralises hostile names and repositories", async () => {
  const { tui, api } = await open();
  const hostile = "\u001b[2J\u001b]0;owned\u0007evil\nname \u202eabc";
  api.faults.add({
    path: /\/v1\/agents$/,
    times: 9,
    answer: () => ({ items: [{ id: "bc-evil", name: hostile, status: "ACTIVE", createdAt: "2026-01-01T00:00:00Z" }] }),
  });
  api.faults.add({
    path: /\/repositories$/,
    answer: () => ({
      items: Array.from({ length: 10_000 }, (_, at) => ({ url: `https://example.com/${at}/${hostile}` })),
    }),
  });
  await showPanel(tui);
  await tui.shows(/running +.*evil/);
  expect(tui.screen()).not.toMatch(/[\u001b\u0007\u202e]/);
  tui.type(`${keys.up}${keys.enter}`);
  await tui.shows("Save for this folder");
  tui.type(`${keys.down}${keys.enter}`);
  await tui.shows("10000 repositories");
  tui.type("9999");
  await tui.shows("https://example.com/9999/");
  expect(tui.screen()).not.toContain("https://example.com/1/");
});
