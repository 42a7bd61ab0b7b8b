/** The repository bar: its content, its position, and its action from start to end. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { seriousFindings } from "./support/axe.ts";
import { phone } from "./support/browser.ts";
import { begin, button, openSession, prompt, said } from "./support/parts.ts";
import { useScene } from "./support/scene.ts";

/** A fake `gh` that answers from a file, which `pr ready` replaces. */
const bin = mkdtempSync(join(tmpdir(), "reins-gh-"));
const [answer, whenReady] = [join(bin, "answer.json"), join(bin, "when-ready.json")];
const script = [
  `#!/bin/sh`,
  `case "$1 $2" in`,
  `"pr view") [ -s '${answer}' ] && exec cat '${answer}'; exit 1 ;;`,
  `"pr ready") exec cp '${whenReady}' '${answer}' ;;`,
  `esac`,
  ``,
].join("\n");
writeFileSync(join(bin, "gh"), script, { mode: 0o755 });

const scene = useScene({ env: { PATH: `${bin}:${process.env["PATH"]}` } });
/** git and `gh` have to be started for the answer. */
const programs = { timeout: 30_000 };
const bar = (page: Page) => page.getByRole("navigation", { name: "Repository" });
const git = (...args: string[]): void => void execFileSync("git", args, { cwd: scene.site.folder });
const addRemote = (): void => git("config", "remote.origin.url", "https://example.com/team/project.git");
const draft = { number: 7, url: "https://example.com/pr/7", title: "A door", state: "OPEN", isDraft: true };

async function enter(options = {}): Promise<Page> {
  const page = await scene.enter(options);
  await openSession(page, scene.site, await begin(scene.site, "demo", "say Here"));
  await said(page, /done in/).waitFor();
  return page;
}

test("polls, shows the state, runs the action, and sends the skill's text to the agent", async () => {
  const page = await enter();
  await bar(page).getByText("LOCAL").waitFor(programs);
  expect((await bar(page).innerText()).replaceAll(/\s+/g, " ")).toBe("project > main > LOCAL (no remote)");
  writeFileSync(join(scene.site.folder, "new.txt"), "new");
  // Focusing the page refreshes the bar at once.
  await page.evaluate("dispatchEvent(new Event('focus'))");
  await bar(page).getByText("DIRTY").waitFor(programs);
  await prompt(page).focus();
  await page.keyboard.press("Control+x");
  await page.keyboard.press("b");
  const dialog = page.getByRole("dialog", { name: "Commit & Push?" });
  const text = await dialog.getByLabel("Prompt", { exact: true }).innerText();
  expect(await seriousFindings(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Send to the agent" }).click();
  await dialog.waitFor({ state: "detached" });
  await said(page, text.split("\n")[0]!).waitFor();
  scene.site.commit();
});

test("writes the action's prompt into the field when there is no session", async () => {
  addRemote();
  const page = await scene.enter();
  await button(page, /Create PR/).click(programs);
  await page.getByRole("dialog").getByRole("button", { name: "Insert into the prompt" }).click();
  await expect.poll(() => prompt(page).inputValue(), programs).toContain("pull request");
});

test("shows the command of a plain action, runs it after a confirmation and refreshes the bar", async () => {
  addRemote();
  writeFileSync(answer, JSON.stringify(draft));
  writeFileSync(whenReady, JSON.stringify({ ...draft, isDraft: false, reviewDecision: "APPROVED" }));
  const page = await enter();
  await bar(page).getByText("DRAFT").waitFor(programs);
  const link = bar(page).getByRole("link", { name: "(PR #7)" });
  expect(await link.getAttribute("href")).toBe(draft.url);
  await button(page, /^Ready for Review/).click();
  const dialog = page.getByRole("dialog", { name: "Ready for Review?" });
  await dialog.getByText("gh pr ready 7").waitFor();
  await dialog.getByRole("button", { name: "Run" }).click();
  await bar(page).getByText("APPROVED").waitFor(programs);
  expect(await seriousFindings(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: "light" });
  await page.waitForFunction(`matchMedia("(prefers-color-scheme: light)").matches`);
  expect(await seriousFindings(page)).toEqual([]);
  writeFileSync(answer, "");
});

test.each(["top", "bottom", "left", "right", "hidden"] as const)(
  "is placed %s when that is configured",
  async (placement) => {
    mkdirSync(join(scene.site.folder, ".reins"), { recursive: true });
    const ui = { breadcrumb: { placement, showAction: placement !== "bottom" } };
    writeFileSync(join(scene.site.folder, ".reins", "config.json"), JSON.stringify({ ui }));
    const page = await enter();
    if (placement === "hidden") {
      await prompt(page).waitFor();
      return expect(await bar(page).count()).toBe(0);
    }
    await bar(page).waitFor();
    const [at, field] = [await bar(page).boundingBox(), await prompt(page).boundingBox()];
    const is = {
      top: at!.y + at!.height <= field!.y,
      bottom: at!.y >= field!.y + field!.height,
      left: at!.x + at!.width <= field!.x,
      right: at!.x >= field!.x + field!.width,
    };
    expect(is[placement]).toBe(true);
    expect(await bar(page).getByRole("button").count()).toBe(placement === "bottom" ? 0 : 1);
    if (placement !== "left") return;
    const narrow = await enter(phone);
    const above = await bar(narrow).boundingBox();
    expect(above!.width).toBe(390);
  },
);
