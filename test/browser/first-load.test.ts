import { expect, test } from "vitest";
import { useScene } from "./support/scene.ts";

const scene = useScene();

interface Loaded {
  readonly name: string;
  readonly bytes: number;
}

/** Sizes as the browser counted them, including headers. */
const loaded = `[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].map((entry) => ({
  name: new URL(entry.name).pathname,
  bytes: entry.transferSize,
}))`;

test("the first load transfers at most 250 kB", async () => {
  const page = await scene.enter();
  await page.getByRole("textbox", { name: "Prompt" }).waitFor();
  const all: Loaded[] = await page.evaluate(loaded);
  expect(all.filter(({ name }) => name.startsWith("/assets/")).length).toBeGreaterThan(1);
  expect(all.every(({ bytes }) => bytes > 0)).toBe(true);
  expect(all.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(250_000);
});

test("removes the token from the address, and a reload works without it", async () => {
  const page = await scene.enter();
  await page.getByRole("textbox", { name: "Prompt" }).waitFor();
  expect(page.url()).not.toContain("token");
  expect(
    await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])"),
  ).not.toContain(new URL(scene.site.address).hash.slice("#token=".length));
  await page.reload();
  await page.getByRole("textbox", { name: "Prompt" }).waitFor();
});

test("creates a token for another device in a form and shows it once", async () => {
  const page = await scene.enter();
  await page.goto(`${scene.site.url}/#/settings`);
  await page.getByRole("button", { name: "New token" }).click();
  const dialog = page.getByRole("dialog", { name: "New token" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("the tablet");
  await dialog.getByRole("checkbox", { name: /^prompt/ }).check();
  await page.keyboard.press("Enter");
  const made = page.getByRole("dialog", { name: "Token created" });
  expect(await made.locator("code").textContent()).toMatch(/\S{20}/);
  await made.getByRole("button", { name: "Done" }).click();
  await page.getByRole("region", { name: "Tokens" }).getByText("the tablet").waitFor();
});
