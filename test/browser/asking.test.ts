/** Permission requests and questions of an agent, and how they are answered. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { answerKeys } from "../../src/view/answer-keys.ts";
import { seriousFindings } from "./support/axe.ts";
import { bothHands } from "./support/hands.ts";
import { armed, begin, button, openSession, permission, prompt, said, toolRow } from "./support/parts.ts";
import { useScene } from "./support/scene.ts";

const scene = useScene();
const isThere = (file: string): boolean => existsSync(join(scene.site.folder, file));

describe.each(bothHands)("with %s", (name, handsOf) => {
  const folder = name.replaceAll(" ", "-");

  test("allows a request once and asks again for the next one", async () => {
    const page = await scene.enter();
    const hands = handsOf(page);
    await openSession(
      page,
      scene.site,
      await begin(scene.site, "demo", `write ${folder}/once.txt 1; write ${folder}/twice.txt 2`),
    );
    await permission(page, /once\.txt/)
      .getByText("+1")
      .or(permission(page, /once\.txt/).getByRole("region", { name: "Diff" }))
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

  test("denies a request with a message to the agent", async () => {
    const page = await scene.enter();
    const hands = handsOf(page);
    await openSession(page, scene.site, await begin(scene.site, "demo", `write ${folder}/secret.txt x`));
    await hands.press(button(page, /^Deny with a message/));
    await hands.write(page.getByRole("textbox", { name: "Message to the agent" }), "Not in this folder.");
    await hands.press(button(page, /^Deny/));
    await said(page, "Not in this folder.").waitFor();
    await said(page, /done in/).waitFor();
    expect(isThere(`${folder}/secret.txt`)).toBe(false);
  });

  test('shows the rule before "always" saves it, applies it, and can remove it', async () => {
    const page = await scene.enter();
    const hands = handsOf(page);
    const command = `run echo ${folder}`;
    await openSession(page, scene.site, await begin(scene.site, "demo", command));
    const card = permission(page, /Run echo/);
    await hands.press(card.getByRole("button", { name: /^Always/ }));
    await hands.press(card.getByRole("button", { name: /In this folder: adds the rule/ }));
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

  test("shows a question as a form with options and a field for other text", async () => {
    const page = await scene.enter();
    const hands = handsOf(page);
    await openSession(page, scene.site, await begin(scene.site, "demo", "ask Shall it be blue?"));
    await hands.press(page.getByRole("radio", { name: "Yes" }));
    await hands.press(button(page, "Answer"));
    await said(page, "You answered: Yes.").waitFor();
    await hands.write(prompt(page), "ask Which colour then?");
    await hands.press(button(page, "Send"));
    await hands.write(page.getByRole("textbox", { name: "Your own answer" }), "Like the sea");
    await hands.press(button(page, "Answer"));
    await said(page, "You answered: Like the sea.").waitFor();
  });

  test("waits for the approval of a plan", async () => {
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

test("a key answers at once while the prompt is empty, and types text otherwise", async () => {
  const page = await scene.enter();
  await openSession(page, scene.site, await begin(scene.site, "demo", "write keys.txt 1; write more.txt 2"));
  await armed(page, /keys\.txt/);
  await prompt(page).focus();
  await page.keyboard.press("y");
  await armed(page, /more\.txt/);
  expect(isThere("keys.txt")).toBe(true);
  expect(await prompt(page).inputValue()).toBe("");
  await prompt(page).fill("wh");
  await page.keyboard.press("y");
  expect(await prompt(page).inputValue()).toBe("why");
  await page.keyboard.press("Alt+n");
  await said(page, /done in/).waitFor();
  expect(isThere("more.txt")).toBe(false);
  expect(await prompt(page).inputValue()).toBe("why");
});

test("s allows for the session, and the next similar request is not asked", async () => {
  const page = await scene.enter();
  await openSession(page, scene.site, await begin(scene.site, "demo", "write s1.txt 1; write s2.txt 2"));
  await armed(page, /s1\.txt/);
  await page.keyboard.press("s");
  await said(page, /done in/).waitFor();
  expect([isThere("s1.txt"), isThere("s2.txt")]).toEqual([true, true]);
});

test("e changes the input, m denies with a message, ? explains the request", async () => {
  const page = await scene.enter();
  await openSession(page, scene.site, await begin(scene.site, "demo", "run echo first; run echo second"));
  await armed(page, /echo first/);
  await page.keyboard.press("?");
  await permission(page, /echo first/)
    .getByText(/requires approval/)
    .waitFor();
  await page.keyboard.press("e");
  const input = page.getByRole("textbox", { name: "Edited input" });
  expect(await input.inputValue()).toBe("echo first");
  await input.fill("touch changed.txt");
  await page.keyboard.press("Control+Enter");
  await armed(page, /echo second/);
  expect(isThere("changed.txt")).toBe(true);
  await page.keyboard.press("m");
  await page.keyboard.insertText("Not this one.");
  await page.keyboard.press("Enter");
  await said(page, "Not this one.").waitFor();
});

test("a opens the rules, widest last, and Escape closes them without an answer", async () => {
  const page = await scene.enter();
  await openSession(page, scene.site, await begin(scene.site, "demo", "run echo rules"));
  await armed(page, /echo rules/);
  await page.keyboard.press("Alt+a");
  const rules = page.getByRole("group", { name: "Always allow" });
  await rules.waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await rules.waitFor({ state: "detached" });
  await page.keyboard.press("y");
  await said(page, /done in/).waitFor();
});

test("with an empty focused prompt every key answers and none is typed", async () => {
  const page = await scene.enter();
  const text = (): Promise<string> => prompt(page).inputValue();
  await openSession(page, scene.site, await begin(scene.site, "demo", "run echo one; run echo two; run echo three"));
  await armed(page, /echo one/);
  const card = permission(page, /echo one/);
  await prompt(page).focus();
  await page.keyboard.press("?");
  await card.getByText(/requires approval/).waitFor();
  expect(await text()).toBe("");
  for (const [key, opened] of [
    ["a", page.getByRole("group", { name: "Always allow" })],
    ["m", page.getByRole("textbox", { name: "Message to the agent" })],
    ["e", page.getByRole("textbox", { name: "Edited input" })],
  ] as const) {
    await prompt(page).focus();
    await page.keyboard.press(key);
    await opened.waitFor();
    await page.keyboard.press("Escape");
    await opened.waitFor({ state: "detached" });
    expect(await text()).toBe("");
  }
  await prompt(page).focus();
  await page.keyboard.press("n");
  await armed(page, /echo two/);
  await prompt(page).focus();
  await page.keyboard.press("y");
  await armed(page, /echo three/);
  await prompt(page).focus();
  await page.keyboard.press("s");
  await said(page, /done in/).waitFor();
  expect(await text()).toBe("");
});

test("shows no deadline while this page is connected", async () => {
  const id = await begin(scene.site, "demo", "write unattended.txt 1");
  // The request was made while no page was connected and has a deadline in the log.
  await expect
    .poll(async () => (await scene.site.call<{ waiting: string[] }>("GET", `/api/sessions/${id}`)).waiting.length, {
      timeout: 30_000,
    })
    .toBe(1);
  const page = await scene.enter();
  await openSession(page, scene.site, id);
  const card = permission(page, /unattended\.txt/);
  await card.waitFor();
  expect(await card.locator(".request-left").count()).toBe(0);
  await button(page, /^Deny/).first().click();
  await said(page, /done in/).waitFor();
});

test("the key overview names the answers as their buttons do", async () => {
  const page = await scene.enter();
  await button(page, "Shortcuts").click();
  const answers = page.getByRole("dialog").getByRole("region", { name: "When a request is waiting" });
  expect((await answers.getByRole("term").allInnerTexts()).join()).toBe(answerKeys.map(({ label }) => label).join());
});
