/** Long sessions open at their end and can be read to the beginning. The benchmarks measure how fast. */
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { bothHands } from "./support/hands.ts";
import type { PageElement } from "./support/in-page.ts";
import { keepLongSession } from "./support/long-session.ts";
import { button, conversation, openSession, prompt, said } from "./support/parts.ts";
import { useScene } from "./support/scene.ts";

const turns = { long: 0, longer: 0 };
const scene = useScene({
  keep(store, folder) {
    turns.long = keepLongSession(store, "ses_long", folder, 10_000);
    turns.longer = keepLongSession(store, "ses_longer", folder, 20_000);
  },
});

const rowsThere = (page: Page): Promise<number> =>
  conversation(page).evaluate((element: PageElement) => element.querySelectorAll("*").length);

test("opens a session of 10,000 events at its end", async () => {
  const page = await scene.enter();
  await openSession(page, scene.site, "ses_long");
  await said(page, "Nothing new, 9999.").waitFor();
  expect(await rowsThere(page)).toBeLessThan(3_000);
});

test("scrolls a session of 20,000 events and renders only the visible rows", async () => {
  const page = await scene.enter();
  await openSession(page, scene.site, "ses_longer");
  await said(page, "Nothing new, 19999.").waitFor();
  await conversation(page).hover();
  await page.mouse.wheel(0, -20_000);
  await button(page, "Jump to latest").waitFor();
  expect(await said(page, "Nothing new, 19999.").count()).toBe(0);
  expect(await rowsThere(page)).toBeLessThan(3_000);
  await conversation(page).focus();
  await page.keyboard.press("Home");
  await said(page, "Prompt number 1").waitFor();
  expect(await rowsThere(page)).toBeLessThan(3_000);
  await button(page, "Jump to latest").click();
  await said(page, "Nothing new, 19999.").waitFor();
});

describe.each(bothHands)("with %s", (_name, handsOf) => {
  test("opens a search hit far up in 10,000 events, marked and focused, also when chosen again", async () => {
    const page = await scene.enter();
    const hands = handsOf(page);
    const search = page.getByRole("searchbox", { name: "Search sessions" });
    const hit = page
      .getByRole("region", { name: "Found in conversations" })
      .getByRole("link", { name: /of 10000 events/ });
    const place = conversation(page).getByRole("group", { name: "Search result" });
    await hands.write(search, "part 33 was changed");
    await hands.press(hit);
    await place.getByText(/part-33\.ts/).waitFor();
    await place.and(page.locator(".sought:focus")).waitFor();
    await place.and(page.locator(":not(.sought)")).waitFor();
    expect(page.url()).not.toContain("at=");
    await button(page, "Jump to latest").click();
    await said(page, "Nothing new, 9999.").waitFor();
    await hands.press(hit);
    await place
      .and(page.locator(".sought"))
      .getByText(/part-33\.ts/)
      .waitFor();
  });
});

test("follows a running turn at its end, and does not scroll a reader who is above it", async () => {
  const page = await scene.enter();
  await openSession(page, scene.site, "ses_long");
  await prompt(page).fill("ask First?; stream 300; ask Second?; stream 300; say The very end.");
  await prompt(page).press("Enter");
  await page.getByRole("radio", { name: "Yes" }).check();
  await button(page, "Answer").click();
  await page.getByRole("group", { name: "Second?" }).waitFor();
  await said(page, "You answered: Yes.").waitFor();
  await conversation(page).hover();
  await page.mouse.wheel(0, -3_000);
  await button(page, "Jump to latest").waitFor();
  await page.getByRole("radio", { name: "No" }).check();
  await button(page, "Answer").click();
  await button(page, "Send").waitFor();
  expect(await said(page, "The very end.").count()).toBe(0);
  await button(page, "Jump to latest").click();
  await said(page, "The very end.").waitFor();
});
