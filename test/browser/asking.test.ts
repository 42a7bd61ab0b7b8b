/** What an agent asks, and the answers to it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { bothHands } from "./support/hands.ts";
import { begin, button, openSession, permission, prompt, said, toolRow } from "./support/parts.ts";
import { useScene } from "./support/scene.ts";

const scene = useScene();
const isThere = (file: string): boolean => existsSync(join(scene.site.folder, file));

describe.each(bothHands)("with %s", (name, handsOf) => {
  const folder = name.replaceAll(" ", "-");

  test("once is once", async () => {
    const page = await scene.enter();
    const hands = handsOf(page);
    await openSession(
      page,
      scene.site,
      await begin(scene.site, "demo", `write ${folder}/once.txt 1; write ${folder}/twice.txt 2`),
    );
    await permission(page, /once\.txt/)
      .getByText("+1")
      .or(permission(page, /once\.txt/).getByRole("region", { name: "Difference" }))
      .first()
      .waitFor();
    await hands.press(button(page, /^Allow once/));
    await permission(page, /twice\.txt/).waitFor();
    expect(isThere(`${folder}/once.txt`)).toBe(true);
    expect(isThere(`${folder}/twice.txt`)).toBe(false);
    await hands.press(button(page, /^Deny/).first());
    await said(page, /done in/).waitFor();
    expect(isThere(`${folder}/twice.txt`)).toBe(false);
  });

  test("a no with a word to the agent", async () => {
    const page = await scene.enter();
    const hands = handsOf(page);
    await openSession(page, scene.site, await begin(scene.site, "demo", `write ${folder}/secret.txt x`));
    await hands.press(button(page, /^Deny with a word/));
    await hands.write(page.getByRole("textbox", { name: "What the agent is told" }), "Not in this folder.");
    await hands.press(button(page, /^Deny/));
    await said(page, "Not in this folder.").waitFor();
    await said(page, /done in/).waitFor();
    expect(isThere(`${folder}/secret.txt`)).toBe(false);
  });

  test("always is a rule that is shown before, holds after, and can be taken back", async () => {
    const page = await scene.enter();
    const hands = handsOf(page);
    const command = `run echo ${folder}`;
    await openSession(page, scene.site, await begin(scene.site, "demo", command));
    const card = permission(page, /Run echo/);
    await card.getByText(/adds the rule/).waitFor();
    await hands.press(card.getByRole("button", { name: /^Always in this folder/ }));
    await said(page, /done in/).waitFor();
    await openSession(page, scene.site, await begin(scene.site, "demo", `${command}; say It was not asked.`));
    await said(page, "It was not asked.").waitFor();
    await page.goto(`${scene.site.url}/#/rules`);
    const rule = page.getByRole("listitem").filter({ hasText: `echo ${folder}` });
    await hands.press(rule.getByRole("button", { name: /^Remove/ }));
    await rule.waitFor({ state: "detached" });
    await openSession(page, scene.site, await begin(scene.site, "demo", command));
    await card.waitFor();
    await hands.press(button(page, /^Allow once/));
    await said(page, /done in/).waitFor();
  });

  test("a question is a form: one of its answers, or words of one's own", async () => {
    const page = await scene.enter();
    const hands = handsOf(page);
    await openSession(page, scene.site, await begin(scene.site, "demo", "ask Shall it be blue?"));
    await hands.press(page.getByRole("radio", { name: "Yes" }));
    await hands.press(button(page, "Answer"));
    await said(page, "You answered: Yes.").waitFor();
    await hands.write(prompt(page), "ask Which colour then?");
    await hands.press(button(page, "Send"));
    await hands.write(page.getByRole("textbox", { name: "An answer of your own" }), "Like the sea");
    await hands.press(button(page, "Answer"));
    await said(page, "You answered: Like the sea.").waitFor();
  });

  test("a plan waits for an approval", async () => {
    const page = await scene.enter();
    const hands = handsOf(page);
    await openSession(page, scene.site, await begin(scene.site, "demo", "plan", { mode: "plan" }));
    await permission(page, /Approve the plan/)
      .getByText("Make one small change")
      .waitFor();
    await hands.press(button(page, /^Allow once/));
    await said(page, /done in/).waitFor();
    await toolRow(page, "plan").or(said(page, /plan/)).first().waitFor();
  });
});

test("what waits is answered with single keys too", async () => {
  const page = await scene.enter();
  await openSession(page, scene.site, await begin(scene.site, "demo", "write keys.txt 1"));
  await permission(page, /keys\.txt/).waitFor();
  await page.keyboard.press("Alt+a");
  await page.keyboard.press("y");
  await said(page, /done in/).waitFor();
  expect(isThere("keys.txt")).toBe(true);
});
