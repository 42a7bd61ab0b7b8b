/** Stored sessions: found, continued, forked, handed over, renamed, deleted. */
import { describe, expect, test } from "vitest";
import { conversation as kept, keep } from "../support/store.ts";
import { bothHands, type Hands } from "./support/hands.ts";
import { button, conversation, openSession, permission, prompt, said, sidebar } from "./support/parts.ts";
import { useScene } from "./support/scene.ts";

const ids = { "a mouse": "ses_mouse", "the keyboard": "ses_keyboard" } as const;

const scene = useScene({
  keep(store, folder) {
    for (const [index, id] of Object.values(ids).entries()) {
      const state = `demo:1:00000000-0000-4000-8000-00000000000${index}:1`;
      const events = kept(
        `Look for the ${id} lighthouse`,
        [{ type: "message.completed", messageId: "m1", text: `It stands on the rock of ${id}.` }],
        state,
      );
      keep(
        store,
        id,
        events.map((event) => (event.type === "session.started" ? { ...event, cwd: folder } : event)),
        { cwd: folder },
      );
    }
  },
});

describe.each(bothHands)("with %s", (name, handsOf) => {
  const id = ids[name];

  const choose = (hands: Hands, page: Parameters<typeof button>[0], item: RegExp) =>
    hands.choose(button(page, "Session actions"), item);

  test("finds a session by its text and continues it", async () => {
    const page = await scene.enter();
    const hands = handsOf(page);
    await hands.write(page.getByRole("searchbox", { name: "Search sessions" }), `rock of ${id}`);
    await hands.press(page.getByRole("region", { name: "Found in conversations" }).getByRole("link").first());
    await said(page, `It stands on the rock of ${id}.`).waitFor();
    await hands.write(prompt(page), "say We go on.");
    await hands.press(button(page, "Send"));
    await conversation(page).getByText("We go on.", { exact: true }).waitFor();
    await said(page, `It stands on the rock of ${id}.`).waitFor();
  });

  test("renames a session, and the list shows the new name", async () => {
    const page = await scene.enter();
    const hands = handsOf(page);
    await openSession(page, scene.site, id);
    await choose(hands, page, /^Rename/);
    const title = page.getByRole("dialog").getByRole("textbox", { name: "Title" });
    await title.fill("");
    await hands.write(title, `Lighthouse ${id}`);
    await hands.press(page.getByRole("dialog").getByRole("button", { name: "Rename" }));
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await sidebar(page)
      .getByRole("link", { name: `Lighthouse ${id}` })
      .waitFor();
    await page.getByRole("heading", { level: 1, name: `Lighthouse ${id}` }).waitFor();
  });

  test("forks a session, which keeps the conversation and continues separately", async () => {
    const page = await scene.enter();
    const hands = handsOf(page);
    await openSession(page, scene.site, id);
    await choose(hands, page, /^Fork/);
    await page.waitForURL((url) => !url.hash.includes(id));
    await said(page, `It stands on the rock of ${id}.`).waitFor();
    await hands.write(prompt(page), "say Another way.");
    await hands.press(button(page, "Send"));
    await conversation(page).getByText("Another way.", { exact: true }).waitFor();
    await openSession(page, scene.site, id);
    await said(page, `It stands on the rock of ${id}.`).waitFor();
    expect(await conversation(page).getByText("Another way.").count()).toBe(0);
  });

  test("hands a session to another agent, which continues it", async () => {
    const page = await scene.enter();
    const hands = handsOf(page);
    await openSession(page, scene.site, id);
    await choose(hands, page, /^Hand off/);
    const dialog = page.getByRole("dialog");
    const native = dialog.getByRole("radio", { name: /^Native/ });
    await native.waitFor();
    if (!(await native.isChecked())) await hands.press(native);
    await hands.press(dialog.getByRole("button", { name: "Hand off" }));
    await dialog.waitFor({ state: "detached" });
    await hands.write(prompt(page), "scenario:echo:Mine%20now. Go on.");
    await hands.press(button(page, "Send"));
    await said(page, "Mine now.").waitFor();
    await said(page, /demo handed over to native/).waitFor();
  });

  test("deletes a session after a confirmation", async () => {
    const page = await scene.enter();
    const hands = handsOf(page);
    const { id: gone } = await scene.site.call<{ id: string }>("POST", "/api/sessions", {
      agent: "demo",
      cwd: scene.site.folder,
      prompt: `say To be deleted with ${name}.`,
    });
    await openSession(page, scene.site, gone);
    await said(page, /done in/).waitFor();
    await choose(hands, page, /^Delete/);
    await hands.press(page.getByRole("dialog").getByRole("button", { name: /^Delete/ }));
    await sidebar(page)
      .getByRole("link", { name: `To be deleted with ${name}` })
      .waitFor({ state: "detached" });
    await expect(scene.site.call("GET", `/api/sessions/${gone}`)).rejects.toThrow("404");
  });
});

test("marks working and waiting sessions, and can show only those", async () => {
  const page = await scene.enter();
  const begun = { agent: "demo", cwd: scene.site.folder };
  const { id } = await scene.site.call<{ id: string }>("POST", "/api/sessions", {
    ...begun,
    prompt: "write waits.txt 1",
  });
  const link = sidebar(page).getByRole("link", { name: /write waits\.txt/ });
  await link.getByRole("img", { name: "waiting for an answer" }).waitFor();
  await button(page, /^Waiting/).click();
  expect(await sidebar(page).getByRole("navigation", { name: "Sessions" }).getByRole("link").count()).toBe(1);
  await link.click();
  await permission(page, /waits\.txt/).waitFor();
  await button(page, /^Deny/).first().click();
  await said(page, /done in/).waitFor();
  expect(page.url()).toContain(id);
  await link.waitFor({ state: "detached" });
});
