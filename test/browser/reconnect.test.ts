/** The server goes away during a turn and comes back: the page continues with every event exactly once. */
import type { Page } from "playwright-core";
import { beforeEach, describe, expect, test } from "vitest";
import { begin, button, conversation, openSession, permission, prompt, said } from "./support/parts.ts";
import { useScene } from "./support/scene.ts";

const scene = useScene();

// The browser logs failed connections to its console.
beforeEach(() =>
  scene.allow(
    /ERR_CONNECTION_REFUSED|ERR_SOCKET_NOT_CONNECTED|WebSocket connection to|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET/,
  ),
);

const away = (page: Page) => page.getByRole("status").getByText(/Connection lost/);

/** The page shows the same as a newly opened one: no event lost or doubled. */
async function sameAsFresh(page: Page, id: string): Promise<void> {
  const there = await conversation(page).innerText();
  const fresh = await scene.secondTab();
  await openSession(fresh, scene.site, id);
  await expect.poll(() => conversation(fresh).innerText()).toBe(there);
}

describe.each(["SIGTERM", "SIGKILL"] as const)("after %s", (signal) => {
  test("while an answer streams", async () => {
    const page = await scene.enter();
    const id = await begin(scene.site, "native", "scenario:slow-text Go.");
    await openSession(page, scene.site, id);
    await said(page, "The first half,").waitFor();
    await scene.site.model.reached("slow");
    await scene.site.stop(signal);
    await away(page).waitFor();
    await said(page, "The first half,").waitFor();
    await scene.site.start();
    await away(page).waitFor({ state: "detached" });
    await said(page, /(?:interrupted|cancelled) after/).waitFor();
    await prompt(page).fill("scenario:text And again.");
    await prompt(page).press("Enter");
    await said(page, "Hello from the scripted model.").waitFor();
    await said(page, /done in/).waitFor();
    for (const words of ["The first half,", "Hello from the scripted model.", "And again."])
      expect(await conversation(page).getByText(words).count()).toBe(1);
    await sameAsFresh(page, id);
  });

  test("while a permission waits: it is settled, and the next one is asked", async () => {
    const page = await scene.enter();
    const id = await begin(scene.site, "demo", "write away.txt 1");
    await openSession(page, scene.site, id);
    await permission(page, /away\.txt/).waitFor();
    await scene.site.stop(signal);
    await away(page).waitFor();
    await scene.site.start();
    await away(page).waitFor({ state: "detached" });
    await permission(page, /away\.txt/).waitFor({ state: "detached" });
    await prompt(page).fill("write back.txt 1");
    await prompt(page).press("Enter");
    await permission(page, /back\.txt/).waitFor();
    await button(page, /^Allow once/).click();
    await said(page, /done in/).waitFor();
    await sameAsFresh(page, id);
  });
});

test("keeps a prompt that was typed and not sent", async () => {
  const page = await scene.enter();
  const id = await begin(scene.site, "demo", "say Hello.");
  await openSession(page, scene.site, id);
  await said(page, /done in/).waitFor();
  await prompt(page).fill("say Half a thou");
  await scene.site.stop();
  await away(page).waitFor();
  await prompt(page).pressSequentially("ght.");
  await scene.site.start();
  await away(page).waitFor({ state: "detached" });
  expect(await prompt(page).inputValue()).toBe("say Half a thought.");
  await prompt(page).press("Enter");
  await conversation(page).getByText("Half a thought.", { exact: true }).waitFor();
});

test("a page that is loaded while the server is down recovers", async () => {
  const page = await scene.enter();
  await prompt(page).waitFor();
  await scene.site.stop();
  await away(page).waitFor();
  await button(page, "Retry now").click();
  await scene.site.start();
  await away(page).waitFor({ state: "detached" });
});
