/** The side panel of a conversation, and the announcements for screen readers. */
import { expect, test } from "vitest";
import { keepGoldenSession } from "../support/golden-session.ts";
import { begin, button, openSession, permission, said } from "./support/parts.ts";
import { useScene } from "./support/scene.ts";

const scene = useScene({ keep: (store, folder) => keepGoldenSession(store, "ses_golden", folder) });

test("shows the plan with its finished steps, and each file with its diff", async () => {
  const page = await scene.enter();
  await openSession(page, scene.site, "ses_golden");
  await button(page, "Plan, files, usage").click();
  const panel = page.getByRole("complementary", { name: "Session details" });
  const steps = panel.getByRole("region", { name: "Plan" }).getByRole("listitem");
  await steps.first().waitFor();
  expect(await steps.allInnerTexts()).toEqual(["Look", "Paint the door", "Tell"]);
  expect(await steps.getByRole("img", { name: "done", exact: true }).count()).toBe(3);
  const files = panel.getByRole("region", { name: "Files changed" });
  await files.getByText("porch.log").waitFor();
  await files.getByRole("button", { name: /door\.txt/ }).click();
  await files.getByText("a blue door").waitFor();
});

test("announces waiting requests and the agent's messages", async () => {
  const page = await scene.enter();
  const id = await begin(scene.site, "demo", "say Hello");
  await openSession(page, scene.site, id);
  await said(page, /done in/i).waitFor();
  await scene.site.call("POST", `/api/sessions/${id}/turns`, { prompt: "write a.txt b; say Here I am" });
  const aloud = page.locator("[aria-live=polite]");
  await permission(page, /Write a\.txt/).waitFor();
  await aloud.getByText("Waiting for approval: Write a.txt. Press Alt A to answer.").waitFor({ state: "attached" });
  await button(page, /^Allow once/).click();
  await aloud.getByText("Here I am").waitFor({ state: "attached" });
});

test("announces a request only once when it was waiting before the session was opened", async () => {
  const page = await scene.enter();
  const id = await begin(scene.site, "demo", "write early.txt b; say Done with it");
  await expect
    .poll(async () => (await scene.site.call<{ waiting: string[] }>("GET", `/api/sessions/${id}`)).waiting.length)
    .toBe(1);
  // Collect every announcement from now on.
  await page.evaluate(`{
    const region = document.querySelector("[role=status].sr-only");
    globalThis.heard = [];
    new MutationObserver(() => heard.push(region.textContent)).observe(region, { childList: true, characterData: true, subtree: true });
  }`);
  const heard = (): Promise<string[]> => page.evaluate("globalThis.heard");
  await openSession(page, scene.site, id);
  await permission(page, /Write early\.txt/).waitFor();
  await expect.poll(heard).toEqual(["Waiting for approval: Write early.txt. Press Alt A to answer."]);
  await button(page, /^Allow once/).click();
  await expect.poll(heard).toContain("Done with it");
  expect((await heard()).filter((sentence) => sentence.startsWith("Waiting for approval"))).toHaveLength(1);
});
