/** Cloud agents in the page, with the stand-in for the cloud service. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { proof } from "../../src/agents/cursor-cloud/proof.ts";
import { scenarioPrompt, startScriptedModel } from "../../src/testing/index.ts";
import { startCloudApi } from "../stand-ins/cursor-cloud/index.ts";
import { git } from "../support/repository.ts";
import { begin, button, openSession, prompt, said } from "./support/parts.ts";
import { useScene } from "./support/scene.ts";

const api = await startCloudApi();
const model = await startScriptedModel({ proof, cwd: process.cwd() });
const scene = useScene({ env: { REINS_CURSOR_CLOUD_POLL_MS: "10", ...proof.env(api.url) } });
const address = "https://example.com/team/project";
const hello = "Hello from the scripted model.";

beforeAll(() => {
  api.connect({ modelUrl: model.url, cwd: scene.site.folder });
  git(scene.site.folder, "remote", "add", "origin", `${address}.git`);
});

beforeEach(async () => {
  await api.forget();
  api.faults.clear();
  await scene.site.call("POST", "/api/cloud-target", { cwd: scene.site.folder, target: null });
});

afterAll(async () => {
  await api.close();
  await model.close();
});

/** The page may need longer than the default second of a poll on a busy machine. */
const patience = { timeout: 30_000 };

const field = (page: Page, name: string) =>
  page.getByRole(name === "Repository" ? "combobox" : "textbox", { name, exact: true });

test("& asks once where the agent works and suggests the git remote", async () => {
  const page = await scene.enter();
  await prompt(page).fill(`& ${scenarioPrompt("text")}`);
  await expect.poll(() => field(page, "Repository").inputValue(), patience).toBe(address);
  expect(await field(page, "Start from").inputValue()).toBe("main");
  await page.getByText("The branch main is not pushed").waitFor();
  await field(page, "Start from").fill("v1");
  await page.getByLabel("Open a pull request when done").check();
  await button(page, "Start").click();
  await said(page, hello).waitFor();
  expect(api.agents[0]?.asked).toMatchObject({ repos: [{ url: address, startingRef: "v1" }], autoCreatePR: true });
  expect(api.agents[0]?.asked["prompt"]).toEqual({ text: scenarioPrompt("text") });
  // The second time one line says where the agent works.
  await openSession(page, scene.site, await begin(scene.site, "demo", "say here I am"));
  await said(page, "here I am").waitFor();
  await prompt(page).fill(`& ${scenarioPrompt("text")}`);
  await page.getByText("team/project from v1, pull request").waitFor();
  expect(await field(page, "Repository").count()).toBe(0);
  await prompt(page).press("Enter");
  await page.getByText("Sent to the cloud: team/project from v1, pull request.").waitFor();
  await said(page, "here I am").waitFor();
  await expect.poll(() => api.agents.length, patience).toBe(2);
});

test("treats an escaped & as text and refuses an invalid address with one sentence", async () => {
  const page = await scene.enter();
  await openSession(page, scene.site, await begin(scene.site, "demo", "say ready"));
  await prompt(page).fill(String.raw`\& say it`);
  await prompt(page).press("Enter");
  await said(page, "& say it").waitFor();
  scene.allow(/status of 400/);
  await prompt(page).fill("& do it");
  await expect.poll(() => field(page, "Repository").inputValue(), patience).toBe(address);
  await field(page, "Repository").fill("not an address");
  await prompt(page).press("Enter");
  await page.getByText("is not the address of a repository").waitFor();
  expect(await prompt(page).inputValue()).toBe("& do it");
  await field(page, "Repository").fill("");
  await prompt(page).press("Enter");
  await page.getByText("No repository is chosen").waitFor();
  expect(api.agents).toHaveLength(0);
});

test("lists cloud agents with badges, pages and hostile names; shows, follows up, stops and deletes one", async () => {
  const page = await scene.enter();
  const call = (text: string) => ({
    agent: "cursor-cloud",
    ...{ mode: "full", cwd: scene.site.folder, remote: { repository: address }, prompt: text },
  });
  await scene.site.call("POST", "/api/sessions", call(scenarioPrompt("text")));
  await expect.poll(() => api.agents[0]?.runs[0]?.status, patience).toBe("FINISHED");
  const [one] = api.agents;
  const copies = Array.from({ length: 30 }, (_, at) => ({ ...one!, id: `bc-copy-${at}`, name: `Copy ${at}` }));
  copies[0]!.name = "\u001b]0;x\u0007<img src=x onerror=alert(1)>\u202egnp";
  (api.agents as (typeof one)[]).push(...copies);
  await page.goto(`${scene.site.url}/#/cloud`);
  const rows = page.getByRole("main").getByRole("listitem");
  await expect.poll(() => rows.count(), patience).toBe(20);
  expect(await rows.first().innerText()).toMatch(/^finished/);
  expect(await rows.nth(1).innerText()).toContain("<img src=x onerror=alert(1)>");
  await button(page, "Load more").click();
  await expect.poll(() => rows.count(), patience).toBe(31);
  expect(await button(page, "Load more").count()).toBe(0);
  await rows.first().getByRole("link").click();
  await page.getByRole("region", { name: "Conversation" }).getByText(hello).waitFor();
  await prompt(page).fill(scenarioPrompt("slow-text"));
  await button(page, "Send follow-up").click();
  await page.waitForURL(/#\/s\/ses_/);
  await expect.poll(() => api.agents[0]?.runs[1]?.status, patience).toBe("RUNNING");
  await page.goto(`${scene.site.url}/#/cloud/cursor-cloud/${one!.id}`);
  await page.getByText("running", { exact: true }).waitFor();
  await button(page, "Stop").click();
  await page.getByText("finished", { exact: true }).waitFor();
  await button(page, "Delete").click();
  await button(page, "Delete permanently").click();
  await page.getByText("Cloud agent deleted.").waitFor();
  expect(api.agents.some(({ id }) => id === one!.id)).toBe(false);
});

test("offers repositories and asks the service for them once a minute", async () => {
  const page = await scene.enter();
  await page.goto(`${scene.site.url}/#/cloud?prompt=${encodeURIComponent(scenarioPrompt("text"))}`);
  await field(page, "Repository").fill("github");
  await expect.poll(() => page.locator("datalist option").count(), patience).toBe(1);
  await prompt(page).click();
  await field(page, "Repository").fill("https://github.com/example/one");
  expect(await prompt(page).inputValue()).toBe(scenarioPrompt("text"));
  await button(page, "Start agent").click();
  await said(page, hello).waitFor();
  expect(api.agents[0]?.asked).toMatchObject({ repos: [{ url: "https://github.com/example/one" }] });
  expect(api.calls.filter(({ path }) => path.endsWith("/repositories")).length).toBeLessThanOrEqual(1);
});

test("reports a failing service and a deleted agent with one sentence", async () => {
  scene.allow(/status of (4|5)\d\d/);
  const page = await scene.enter();
  api.faults.add({ path: /\/v1\/agents$/, times: 99, answer: { status: 403, body: { message: "Access denied." } } });
  await page.goto(`${scene.site.url}/#/cloud`);
  await page.getByRole("main").getByText("Access denied.").first().waitFor();
  api.faults.clear();
  await button(page, "Refresh").click();
  await page.getByText("No cloud agents yet.").waitFor();
  await page.goto(`${scene.site.url}/#/cloud/cursor-cloud/bc-gone`);
  await page.getByText("has no agent bc-gone").waitFor();
});
