/** Every screen in dark and light: accessible, and without horizontal scrolling on a phone. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { seriousFindings } from "./support/axe.ts";
import { phone } from "./support/browser.ts";
import { begin, button, openSession, permission, prompt, said, sidebar, toolRow } from "./support/parts.ts";
import { useScene } from "./support/scene.ts";
import { keepStory, storyFiles } from "./support/story.ts";
import { keepHostileSession } from "./support/hostile-session.ts";

const scene = useScene({
  files: storyFiles,
  keep(store, folder) {
    keepStory(store, folder);
    keepHostileSession(store, "ses_hostile", folder);
  },
});

const go = (path: string, heading: string | RegExp) => async (page: Page) => {
  await page.goto(`${scene.site.url}/#/${path}`);
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
  await page
    .getByText(/Loading agents|Loading usage|Loading rules/)
    .first()
    .waitFor({ state: "detached" });
};

const screens: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  "a new session": (page) => prompt(page).waitFor(),
  "a conversation with a diff and the side panel": async (page) => {
    await openSession(page, scene.site, "ses_story_fix");
    await toolRow(page, "Edit src/cart.ts").click();
    await button(page, "Plan, files, usage").click();
    await page.getByRole("complementary", { name: "Session details" }).waitFor();
  },
  "command answers and completion": async (page) => {
    await openSession(page, scene.site, "ses_story_fix");
    await prompt(page).fill("/help");
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Commands" }).waitFor();
    await prompt(page).fill("/mo");
    await page.getByRole("listbox", { name: "Commands" }).waitFor();
  },
  "a failed turn": async (page) => {
    await openSession(page, scene.site, await begin(scene.site, "demo", "fail quota_exhausted"));
    await said(page, /failed after/).waitFor();
  },
  "a permission": async (page) => {
    await openSession(page, scene.site, await begin(scene.site, "demo", "edit src/cart.ts total -> sum"));
    await permission(page, /Edit src\/cart\.ts/).waitFor();
  },
  "a question": async (page) => {
    await openSession(page, scene.site, await begin(scene.site, "demo", "ask Which one?"));
    await page.getByRole("radio", { name: "Yes" }).waitFor();
  },
  "a hostile session": async (page) => {
    await openSession(page, scene.site, "ses_hostile");
    await said(page, "The last prompt of a hostile session").waitFor();
  },
  "the agents": go("agents", "Agents"),
  usage: go("usage", "Usage"),
  rules: go("rules", "Rules"),
  settings: go("settings", "Settings"),
  compare: go("compare", "Compare"),
  "cloud agents": go("cloud", "Cloud"),
  "a missing session": async (page) => {
    await page.goto(`${scene.site.url}/#/s/ses_none`);
    await page.getByText("This session cannot be shown").waitFor();
  },
  "the key overview": async (page) => {
    // Leave the field, where the key would be typed.
    await page.getByRole("heading", { level: 1 }).click();
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
  },
};

/** Elements beyond the right edge, when the page can be scrolled sideways. */
const tooWide = `document.documentElement.scrollWidth <= innerWidth ? [] :
  [...document.querySelectorAll("body *")].filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
    .map((element) => element.outerHTML.slice(0, 120))`;

/** The page scrolls inside itself, never as a whole. */
const tooHigh = `document.documentElement.scrollHeight - innerHeight`;

test.each(Object.entries(screens))("%s", async (_name, open) => {
  // The browser logs the 404 for a missing session to its console.
  scene.allow(/status of 404/);
  const page = await scene.enter();
  await open(page);
  const found: Record<string, unknown> = { dark: await seriousFindings(page) };
  await page.emulateMedia({ colorScheme: "light" });
  // Wait for the theme change, so that the check sees one theme only.
  await page.waitForFunction(`matchMedia("(prefers-color-scheme: light)").matches`);
  found["light"] = await seriousFindings(page);
  await page.setViewportSize({ width: 390, height: 844 });
  found["phone"] = [...(await seriousFindings(page)), ...(await page.evaluate<string[]>(tooWide))];
  expect(found).toEqual({ dark: [], light: [], phone: [] });
  expect(await page.evaluate(tooHigh)).toBe(0);
});

/** Elements whose content is wider than the element. */
const cut = (selector: string): string => `[...document.querySelectorAll("${selector}")]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  .map(({ className, textContent }) => className + ": " + textContent)`;

test("shows the mode and the usage figures in full on a phone", async () => {
  const page = await scene.enter(phone);
  await openSession(page, scene.site, "ses_story_fix");
  await button(page, "Mode: Ask first").waitFor();
  expect(await page.evaluate(cut("[aria-label^='Mode:'] .select-value"))).toEqual([]);
  await go("usage", "Usage")(page);
  await page.getByRole("cell", { name: "Claude Code" }).first().waitFor();
  expect(await page.evaluate(cut(".table-frame"))).toEqual([]);
});

test("shows the sessions in a drawer on a phone", async () => {
  const page = await scene.enter(phone);
  await button(page, "Show sidebar").click();
  expect(await seriousFindings(page)).toEqual([]);
  await sidebar(page)
    .getByRole("link", { name: /Take the discount off once/ })
    .click();
  await said(page, /All 14 tests pass/).waitFor();
  expect(await sidebar(page).getByRole("link").count()).toBe(0);
});
