/** Locators for the parts of the page, by role and name as a person finds them. */
import type { Locator, Page } from "playwright-core";
import type { Site } from "./site.ts";

export const prompt = (page: Page): Locator => page.getByRole("textbox", { name: "Prompt" });
export const conversation = (page: Page): Locator => page.getByRole("log", { name: "Conversation" });
export const sidebar = (page: Page): Locator => page.getByRole("complementary", { name: "Sessions" });
export const button = (page: Page, name: string | RegExp): Locator =>
  page.getByRole("button", { name, ...(typeof name === "string" && { exact: true }) });
/** The picker of the agent, model or mode; its name includes the current choice. */
export const picker = (page: Page, name: "Agent" | "Model" | "Mode"): Locator =>
  page.getByRole("main").getByRole("button", { name: new RegExp(`^${name}: `) });
export const toolRow = (page: Page, title: string): Locator =>
  conversation(page).getByRole("button", { name: title }).first();
export const permission = (page: Page, title: string | RegExp): Locator => page.getByRole("region", { name: title });

/** Waits until keys answer the request, shortly after it appeared. */
export const armed = async (page: Page, title: RegExp): Promise<void> => {
  await permission(page, title).waitFor();
  await page.locator(".request.armed").waitFor();
};

/** Text of the agent or the person in the conversation. */
export const said = (page: Page, text: string | RegExp): Locator => conversation(page).getByText(text).first();

export async function openSession(page: Page, site: Site, id: string): Promise<void> {
  await page.goto(`${site.url}/#/s/${id}`);
  await conversation(page).waitFor();
}

/** A session that was started elsewhere. */
export async function begin(
  site: Site,
  agent: string,
  words: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const body = { agent, cwd: site.folder, prompt: words, ...more };
  const { id } = await site.call<{ id: string }>("POST", "/api/sessions", body);
  return id;
}
