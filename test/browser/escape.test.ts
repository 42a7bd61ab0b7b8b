/** Keyboard focus: open layers get keys first, and Escape cancels a turn only on purpose. */
import { describe, expect, test } from "vitest";
import { phone } from "./support/browser.ts";
import {
  armed,
  begin,
  button,
  conversation,
  openSession,
  permission,
  said,
  sidebar,
  toolRow,
} from "./support/parts.ts";
import { useScene } from "./support/scene.ts";

const scene = useScene();
const asking = (file: string) => begin(scene.site, "demo", `say I write it.; write ${file} 1`);

describe("Escape does not cancel the turn", () => {
  test("in the drawer on a phone, which has the focus and is closed", async () => {
    const page = await scene.enter(phone);
    await openSession(page, scene.site, await asking("drawer.txt"));
    await permission(page, /drawer\.txt/).waitFor();
    await button(page, "Show sidebar").click();
    await sidebar(page).locator(":focus").waitFor();
    await page.keyboard.press("Escape");
    await button(page, "Show sidebar").waitFor();
    await button(page, /^Allow once/).click();
    await said(page, /done in/).waitFor();
  });

  test("in the search", async () => {
    const page = await scene.enter();
    await openSession(page, scene.site, await asking("search.txt"));
    await permission(page, /search\.txt/).waitFor();
    await page.getByRole("searchbox").fill("x");
    await page.keyboard.press("Escape");
    await button(page, /^Allow once/).click();
    await said(page, /done in/).waitFor();
  });

  test("in the message field of a denial: it returns to the answers and their keys", async () => {
    const page = await scene.enter();
    await openSession(page, scene.site, await asking("word.txt"));
    await armed(page, /word\.txt/);
    await page.keyboard.press("Alt+a");
    await page.keyboard.press("m");
    await page.getByRole("textbox", { name: "Message to the agent" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("y");
    await said(page, /done in/).waitFor();
  });
});

test("focuses the first useful field of a dialog", async () => {
  const page = await scene.enter();
  await openSession(page, scene.site, await begin(scene.site, "demo", "say hello"));
  await said(page, /done in/).waitFor();
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("r");
  await page.getByRole("dialog").getByRole("textbox").waitFor();
  await page.keyboard.type("Another title");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Another title", exact: true }).waitFor();
});

test("announces a waiting request once, and aligns rows with the text", async () => {
  const page = await scene.enter();
  await openSession(page, scene.site, await asking("once.txt"));
  await permission(page, /once\.txt/).waitFor();
  expect(await conversation(page).getByText("once.txt").count()).toBe(2);
  const text = await conversation(page).getByRole("article").boundingBox();
  const arrow = await toolRow(page, "Write once.txt").locator(".disclosure-arrow").boundingBox();
  const field = await page.getByRole("textbox", { name: "Prompt" }).boundingBox();
  expect(Math.abs((arrow?.x ?? 0) - (text?.x ?? 99))).toBeLessThan(5);
  expect(Math.abs((field?.x ?? 0) + 16 - (text?.x ?? 99))).toBeLessThan(2);
});
