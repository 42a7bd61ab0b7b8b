import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { begin, button, prompt } from "./support/parts.ts";
import { useScene } from "./support/scene.ts";

const scene = useScene();

/** A headless browser shows no notifications, so this records them and lets the test set whether the page is visible. */
const standIn = `
  window.told = [];
  window.seen = true;
  window.Notification = class extends EventTarget {
    static permission = "default";
    static async requestPermission() { return (this.permission = "granted"); }
    constructor(title, { body }) { super(); told.push([title, body]); }
  };
  Object.defineProperty(document, "visibilityState", { get: () => (seen ? "visible" : "hidden") });
`;

const told = (page: Page): Promise<unknown> => page.evaluate("told");

test("notifies a person who asked for it and is not looking, and nobody else", async () => {
  const page = await scene.enter();
  await page.addInitScript(standIn);
  await page.goto(`${scene.site.url}/#/settings`);
  await page.reload();
  await button(page, "Turn on").click();
  await page.goto(`${scene.site.url}/#/new`);
  await prompt(page).waitFor();
  await begin(scene.site, "demo", "ask Seen?");
  await page
    .getByRole("link", { name: /ask Seen/ })
    .getByRole("img", { name: "waiting for an answer" })
    .waitFor();
  expect(await told(page)).toEqual([]);
  await page.evaluate("seen = false");
  await begin(scene.site, "demo", "ask Unseen?");
  await expect.poll(() => told(page)).toEqual([["Waiting for your answer", "ask Unseen?"]]);
});
