/** Slash commands of Reins in the page: completed, answered in boxes, never sent to the agent. */
import type { Page, Request } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { mcpServer } from "../../src/testing/mcp-server.ts";
import { cursorStandIn } from "../stand-ins/cursor/stand-in.ts";
import { seriousFindings } from "./support/axe.ts";
import { phone } from "./support/browser.ts";
import { begin, button, conversation, openSession, picker, prompt, said, sidebar } from "./support/parts.ts";
import { useScene } from "./support/scene.ts";

const reviewer = `---
name: Careful Reviewer
description: Reads, and says what it would change.
agent: demo
color: magenta
---
Only read.
`;

const scene = useScene({
  files: {
    ".cursor/mcp.json": JSON.stringify({ mcpServers: { scripted: mcpServer() } }),
    ".reins/agents/reviewer.md": reviewer,
  },
  env: { REINS_CURSOR_COMMAND: cursorStandIn(), CURSOR_API_KEY: "key_of_the_stand_in" },
});

/** The agent's own program has to be started for the answer. */
const programs = { timeout: 30_000 };

const box = (page: Page, title: string | RegExp) => page.getByRole("region", { name: title });
const type = async (page: Page, text: string): Promise<void> => {
  await prompt(page).fill(text);
  await page.keyboard.press("Enter");
};
const promptsOf = async (id: string): Promise<number> =>
  (await scene.site.call<{ turns: number }>("GET", `/api/sessions/${id}`)).turns;

/** The browser logs two expected error answers: an agent without MCP servers, and a service that is not there. */
beforeEach(() => scene.allow(/status of 42[24]/));

async function inDemo(words = "say Hello"): Promise<{ page: Page; id: string }> {
  const page = await scene.enter();
  const id = await begin(scene.site, "demo", words);
  await openSession(page, scene.site, id);
  await said(page, /done in/).waitFor();
  return { page, id };
}

test("completes and describes a command, runs it with Enter, and shows the answer in a box that the agent does not see", async () => {
  const { page, id } = await inDemo();
  await prompt(page).pressSequentially("/sta");
  const list = page.getByRole("listbox", { name: "Commands" });
  await list.getByText("Show agent status, auth, and config").waitFor();
  await page.keyboard.press("Enter");
  const status = box(page, "Demo Status");
  await status.getByText(/Signed in +not needed/).waitFor();
  await status.getByText(/Session +ses_\w{8} \(1 turn\)/).waitFor();
  await status.getByText(/OS +Linux/).waitFor();
  expect(await prompt(page).inputValue()).toBe("");
  expect(await promptsOf(id)).toBe(1);
  await type(page, "say And on");
  await said(page, "And on").waitFor();
  // The box stands between the two turns, where it was requested.
  const order = await conversation(page).innerText();
  expect(order.indexOf("Hello")).toBeLessThan(order.indexOf("Demo Status"));
  expect(order.indexOf("Demo Status")).toBeLessThan(order.indexOf("And on"));
  await status.getByRole("button", { name: "Dismiss" }).click();
  await status.waitFor({ state: "detached" });
});

test("does not send an unknown command, and keeps it in the prompt", async () => {
  const { page, id } = await inDemo();
  await type(page, "/stauts now");
  await box(page, "/stauts").getByText("It was not sent. Did you mean /status?").waitFor();
  expect(await prompt(page).inputValue()).toBe("/stauts now");
  expect(await promptsOf(id)).toBe(1);
  await type(page, "\\/stauts is a word");
  await said(page, "/stauts is a word").waitFor();
  await expect.poll(() => promptsOf(id), programs).toBe(2);
});

test("says that a command works only in the terminal, and what to do instead", async () => {
  const { page } = await inDemo();
  for (const name of ["/inline", "/full", "/quit"]) {
    await type(page, name);
    await box(page, name).getByText("✗ A page").waitFor();
  }
  expect(await seriousFindings(page)).toEqual([]);
});

test("switches the model, the mode and the agent", async () => {
  const { page } = await inDemo();
  await type(page, "/mode plan");
  await picker(page, "Mode")
    .and(page.getByRole("button", { name: "Mode: Plan" }))
    .waitFor();
  await type(page, "/mode nonsense");
  await box(page, "/mode").getByText("There is no mode nonsense.").waitFor();
  await type(page, "/models");
  await box(page, "Available Models (Demo)").getByText("← default").waitFor();
  await type(page, "/model");
  await box(page, "/model").getByText("The model cannot be changed now.").waitFor();
  await type(page, "/mode");
  await page.getByRole("listbox", { name: "Mode" }).waitFor();
  await page.keyboard.press("Escape");
  await type(page, "/handoff cursor");
  await page
    .getByRole("main")
    .getByText(/^Cursor/)
    .first()
    .waitFor();
  await type(page, "/status");
  await box(page, "Cursor Status").getByText("API key (CURSOR_API_KEY)").waitFor(programs);
});

test("exports, searches, forks, resumes, compares and clears sessions", async () => {
  const { page, id } = await inDemo("say Unmistakable");
  await type(page, "/diff");
  await page.locator("section[aria-label='Files changed']:focus").waitFor();
  await page.keyboard.press("Escape");
  const [download] = await Promise.all([page.waitForEvent("download"), type(page, "/export md story.md")]);
  scene.allow(/^download: story\.md$/);
  expect(download.suggestedFilename()).toBe("story.md");
  await type(page, "/sessions Unmistak");
  const search = sidebar(page).getByRole("searchbox");
  await expect.poll(() => search.inputValue(), programs).toBe("Unmistak");
  await type(page, "/fork");
  await page.getByText("This is the fork.").waitFor();
  const here = sidebar(page).locator("[aria-current=page]");
  await expect.poll(() => here.getAttribute("href"), programs).not.toContain(id);
  await type(page, `/resume ${id}`);
  await expect.poll(() => here.getAttribute("href"), programs).toContain(id);
  await type(page, "/compare Do it twice");
  expect(await page.getByRole("textbox", { name: "What should the agents do?" }).inputValue()).toBe("Do it twice");
  await openSession(page, scene.site, id);
  await type(page, "/clear");
  await page.getByRole("heading", { name: "What should the agent do?" }).waitFor();
});

test("without a session: shows answers above the prompt, and selects an agent file by name", async () => {
  const page = await scene.enter(phone);
  await type(page, "/help");
  await box(page, "Commands").getByText("/handoff <agent>").waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await type(page, "/usage");
  await box(page, "Usage").getByText("The last 7 days").waitFor();
  await type(page, "/policy");
  await box(page, "Policy").waitFor();
  await type(page, "/agent reviewer");
  await picker(page, "Agent")
    .and(page.getByRole("button", { name: "Agent: Careful Reviewer" }))
    .waitFor();
  await picker(page, "Agent").click();
  const option = page.getByRole("option", { name: /Careful Reviewer/ });
  await option.getByText("Reads, and says what it would change. · Demo").waitFor();
  expect(await option.locator(".agent-colour").getAttribute("style")).toContain("rgb(217, 70, 239)");
  await page.keyboard.press("Escape");
  await type(page, "say As the reviewer");
  await said(page, "As the reviewer").waitFor();
  const { sessions } = await scene.site.call<{ sessions: { agentFile?: string }[] }>("GET", "/api/sessions?limit=1");
  expect(sessions[0]?.agentFile).toBe("reviewer");
  await page.getByRole("main").getByText("Careful Reviewer").first().waitFor();
});

test("lists the agent's MCP servers, enables one, shows its tools and disables it", async () => {
  const page = await scene.enter();
  await type(page, "/agent cursor");
  await picker(page, "Agent")
    .and(page.getByRole("button", { name: "Agent: Cursor" }))
    .waitFor();
  await type(page, "/mcp");
  const answer = box(page, "MCP Servers (Cursor)");
  await answer.getByText("scripted not loaded (needs approval)").waitFor(programs);
  await answer.getByRole("button", { name: "Manage" }).click();
  const panel = page.getByRole("dialog", { name: "MCP Servers (Cursor)" });
  await panel.getByText("needs approval").waitFor(programs);
  await button(page, "Enable scripted").click();
  await button(page, "Disable scripted").waitFor(programs);
  await panel.getByText("loaded", { exact: true }).waitFor();
  await panel.getByRole("button", { name: "Tools" }).click();
  await panel.getByText("add", { exact: true }).waitFor(programs);
  expect(await seriousFindings(page)).toEqual([]);
  await button(page, "Disable scripted").click();
  await button(page, "Enable scripted").waitFor(programs);
});

test("shows a sign-in as a command for a terminal, or as a key field", async () => {
  const page = await scene.enter();
  await type(page, "/agent cursor");
  await box(page, "/agent").getByText("Cursor is active.").waitFor();
  await type(page, "/login");
  const login = box(page, "Log In (Cursor)");
  await login.getByText("Run this in a terminal on the server's machine:").waitFor();
  await login.getByRole("button", { name: "Check again" }).click();
  await login.getByText("✓ Logged in (API key (CURSOR_API_KEY))").waitFor(programs);
  await type(page, "/login token");
  const field = page.getByLabel("Value of CURSOR_API_KEY");
  expect(await field.getAttribute("type")).toBe("password");
  await field.fill("key_typed_into_the_page");
  await page.keyboard.press("Enter");
  await box(page, "/login")
    .getByText(/CURSOR_API_KEY is used for sessions that you start/)
    .waitFor();
  expect(await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])")).not.toContain(
    "key_typed",
  );
  expect(await page.content()).not.toContain("key_typed");
  const isBegun = (request: Request): boolean => request.method() === "POST" && request.url().endsWith("/api/sessions");
  const [begun] = await Promise.all([page.waitForRequest(isBegun), type(page, "Hello")]);
  expect(begun.postDataJSON()).toMatchObject({ agent: "cursor", env: { CURSOR_API_KEY: "key_typed_into_the_page" } });
  await conversation(page).waitFor();
  expect(JSON.stringify(await scene.site.call("GET", "/api/sessions?limit=1"))).not.toContain("key_typed");
});
