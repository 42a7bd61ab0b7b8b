/** The first things a new visitor of the page does. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { bothHands } from "./support/hands.ts";
import {
  begin,
  button,
  conversation,
  openSession,
  permission,
  picker,
  prompt,
  said,
  toolRow,
} from "./support/parts.ts";
import { useScene } from "./support/scene.ts";

const scene = useScene({
  scenarios: [
    {
      name: "painting",
      steps: [
        [{ say: "I paint it red. " }, { gate: "paint" }, { say: "Nearly done." }],
        [{ when: "blue instead" }, { say: "Blue it is." }],
      ],
    },
  ],
});

describe.each(bothHands)("with %s", (_name, handsOf) => {
  test("starts a first session with the demo agent, which edits a file after an approval", async () => {
    const page = await scene.enter();
    const hands = handsOf(page);
    await hands.choose(picker(page, "Agent"), /^Demo/);
    await hands.write(prompt(page), "Show me around");
    await hands.press(button(page, "Start"));
    await permission(page, /Write hello-from-reins\.md/).waitFor();
    await hands.press(button(page, /^Allow once/));
    await said(page, "I was allowed to, so I added a line").waitFor();
    expect(readFileSync(join(scene.site.folder, "hello-from-reins.md"), "utf8")).toContain("Hello from Reins");
    expect(page.url()).toMatch(/#\/s\/ses_/);
  });

  test("shows the output of a tool, and its diff in both layouts", async () => {
    const page = await scene.enter();
    const hands = handsOf(page);
    const words = "write poem.txt roses are red; edit poem.txt red -> blue; run cat poem.txt";
    await openSession(page, scene.site, await begin(scene.site, "demo", words, { mode: "full" }));
    await said(page, /done in/).waitFor();
    await hands.press(toolRow(page, "Run cat poem.txt"));
    await conversation(page).getByLabel("Output").getByText("roses are blue").waitFor();
    await hands.press(toolRow(page, "Edit poem.txt"));
    const difference = conversation(page).getByRole("region", { name: "Diff" });
    await difference.getByText("roses are red").waitFor();
    await difference.getByText("roses are blue").waitFor();
    await hands.press(button(page, "Side by side"));
    expect(await button(page, "Side by side").getAttribute("aria-pressed")).toBe("true");
    await difference.getByText("roses are red").waitFor();
    await hands.press(button(page, "Unified"));
    await hands.press(toolRow(page, "Edit poem.txt"));
    await difference.waitFor({ state: "detached" });
  });

  test("stops a turn", async () => {
    const page = await scene.enter();
    const hands = handsOf(page);
    await openSession(page, scene.site, await begin(scene.site, "native", "scenario:slow-text Go."));
    await said(page, "The first half,").waitFor();
    await hands.press(button(page, "Stop"));
    await said(page, /cancelled after/).waitFor();
    await button(page, "Send").waitFor();
  });

  test("steers a running turn", async () => {
    const page = await scene.enter();
    const hands = handsOf(page);
    await openSession(page, scene.site, await begin(scene.site, "native", "scenario:painting Paint the door."));
    await said(page, "I paint it red.").waitFor();
    await scene.site.model.reached("paint");
    await hands.write(prompt(page), "blue instead");
    await hands.press(button(page, "Steer"));
    await said(page, "blue instead").waitFor();
    scene.site.model.release("paint");
    await said(page, "Blue it is.").waitFor();
    await said(page, /done in/).waitFor();
  });

  test("changes the mode and the model, and shows which were used", async () => {
    const page = await scene.enter();
    const hands = handsOf(page);
    const id = await begin(scene.site, "native", "scenario:usage How much?");
    await openSession(page, scene.site, id);
    await said(page, /done in/).waitFor();
    await said(page, /6\.3k in, 200 out/).waitFor();
    await hands.choose(picker(page, "Mode"), /^Read only/);
    await button(page, "Mode: Read only").waitFor();
    await hands.choose(picker(page, "Model"), "Scripted model");
    await button(page, "Model: Scripted model").waitFor();
    expect(await scene.site.call("GET", `/api/sessions/${id}`)).toMatchObject({ mode: "read" });
  });
});

test("completes the path of a folder while it is typed: arrows, Enter, Escape", async () => {
  mkdirSync(join(scene.site.folder, "packages", "shop-front"), { recursive: true });
  const page = await scene.enter();
  const field = page.getByRole("combobox", { name: "Folder" });
  await field.fill(`${scene.site.folder}/pack`);
  await page.getByRole("option", { name: /^packages/ }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("listbox").waitFor({ state: "detached" });
  await page.keyboard.press("a");
  await field.fill(`${scene.site.folder}/pack`);
  await page.getByRole("option", { name: /^packages/ }).waitFor();
  await page.keyboard.press("ArrowDown");
  expect(await field.getAttribute("aria-activedescendant")).toBe(
    await page.getByRole("option", { name: /^packages/ }).getAttribute("id"),
  );
  await page.keyboard.press("Enter");
  expect(await field.inputValue()).toBe(`${scene.site.folder}/packages`);
  await page.keyboard.type("/");
  await page.getByRole("option", { name: /^shop-front/ }).click();
  expect(await field.inputValue()).toBe(`${scene.site.folder}/packages/shop-front`);
  await prompt(page).fill("say From in here.");
  await prompt(page).press("Enter");
  await said(page, "From in here.").waitFor();
  const { sessions } = await scene.site.call<{ sessions: { cwd: string }[] }>("GET", "/api/sessions?limit=1");
  expect(sessions[0]?.cwd).toBe(`${scene.site.folder}/packages/shop-front`);
});

const seenIn = (id: string | null): string => `(() => {
  const option = document.getElementById("${id}");
  const { top, bottom } = option.closest("[role=listbox]").getBoundingClientRect();
  const at = option.getBoundingClientRect();
  return option.classList.contains("active") && at.top >= top - 1 && at.bottom <= bottom + 1;
})()`;

test("scrolls a long list of folders to the selected one", async () => {
  for (let at = 10; at < 60; at++) mkdirSync(join(scene.site.folder, "many", `folder-${at}`), { recursive: true });
  const page = await scene.enter();
  const field = page.getByRole("combobox", { name: "Folder" });
  await field.fill(`${scene.site.folder}/many/`);
  const last = page.getByRole("option", { name: /^folder-59/ });
  await last.waitFor();
  await page.keyboard.press("ArrowUp");
  await page.waitForFunction(seenIn(await last.getAttribute("id")));
  await page.keyboard.press("ArrowDown");
  const first = page.getByRole("option", { name: /^folder-10/ });
  await page.waitForFunction(seenIn(await first.getAttribute("id")));
});

test("does not offer agent families, and says how to add an agent", async () => {
  const page = await scene.enter();
  await picker(page, "Agent").click();
  await page.getByRole("option", { name: /^Demo/ }).waitFor();
  expect(await page.getByRole("option", { name: /^Any ACP/ }).count()).toBe(0);
  await page.keyboard.press("Escape");
  await page.goto(`${scene.site.url}/#/agents`);
  await page.getByRole("region", { name: "Add another agent" }).getByText("config.json").waitFor();
  expect(await page.getByRole("article", { name: "Any ACP agent" }).count()).toBe(0);
});

test("attaches files by drop and paste, and removes them", async () => {
  const page = await scene.enter();
  await openSession(page, scene.site, await begin(scene.site, "native", "Hello."));
  await said(page, /done in/).waitFor();
  await give(page, "drop", "one.png");
  await page.getByRole("button", { name: "Remove one.png" }).waitFor();
  await give(page, "paste", "two.png");
  await page.getByRole("button", { name: "Remove two.png" }).click();
  await prompt(page).fill("scenario:image What do you see?");
  await button(page, "Send").click();
  await said(page, "I see 1 image(s).").waitFor();
  await conversation(page).getByRole("list", { name: "Attachments" }).getByText("one.png").waitFor();
  await page.reload();
  await conversation(page).getByRole("list", { name: "Attachments" }).getByText("one.png").waitFor();
});

test("attaches files with the keyboard", async () => {
  const page = await scene.enter();
  const [, handsOf] = bothHands[1];
  const hands = handsOf(page);
  await openSession(page, scene.site, await begin(scene.site, "native", "Hello."));
  await said(page, /done in/).waitFor();
  const asked = page.waitForEvent("filechooser");
  await hands.press(button(page, "Attach files"));
  await (await asked).setFiles({ name: "three.png", mimeType: "image/png", buffer: Buffer.from(dot, "base64") });
  await page.getByRole("button", { name: "Remove three.png" }).waitFor();
  await hands.write(prompt(page), "scenario:image What do you see?");
  await page.keyboard.press("Enter");
  await said(page, "I see 1 image(s).").waitFor();
});

const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

async function give(page: Parameters<typeof prompt>[0], how: "drop" | "paste", name: string): Promise<void> {
  await prompt(page).focus();
  // `evaluate` does not call a function that is given as text, so the text is a block.
  await page.evaluate(`{
    const field = document.activeElement;
    const data = new DataTransfer();
    const bytes = Uint8Array.from(atob("${dot}"), (letter) => letter.charCodeAt(0));
    data.items.add(new File([bytes], "${name}", { type: "image/png" }));
    const about = { bubbles: true, cancelable: true };
    field.dispatchEvent(
      "${how}" === "drop"
        ? new DragEvent("drop", { ...about, dataTransfer: data })
        : new ClipboardEvent("paste", { ...about, clipboardData: data }),
    );
  }`);
}
