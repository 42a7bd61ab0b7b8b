/**
 * Renders one log in the page, in `reins log` and in both exports, and compares the content. The terminal:
 * `src/tui/transcript/golden.test.ts`.
 */
import { expect, test } from "vitest";
import { goldenDiff as diff, goldenStory as story, keepGoldenSession } from "../support/golden-session.ts";
import { conversation, openSession } from "./support/parts.ts";
import { useScene } from "./support/scene.ts";
import { toldByExport, toldByPage } from "./support/facts-in-chromium.ts";
import { toldByLog, toldByMarkdown } from "./support/facts-in-text.ts";

const id = "ses_golden";
const scene = useScene({ keep: (store, folder) => keepGoldenSession(store, id, folder) });

test("reins log shows the same with and without the running server", () => {
  expect(toldByLog(scene.site.printedBy("log", id)).facts).toEqual(story);
  expect(toldByLog(scene.site.printedBy("log", id, "--no-server")).facts).toEqual(story);
});

test("the Markdown export shows the same", () => {
  expect(toldByMarkdown(scene.site.printedBy("export", id, "--thoughts"))).toEqual({ facts: story, diff });
});

test("the HTML export shows the same", async () => {
  const page = await scene.enter();
  await page.goto("about:blank");
  await page.setContent(scene.site.printedBy("export", id, "--thoughts", "--format", "html"));
  expect(await toldByExport(page)).toEqual({ facts: story, diff });
});

test("the page shows the same", async () => {
  // A viewport high enough to render every row at once.
  const page = await scene.enter({ viewport: { width: 1280, height: 4_000 } });
  await openSession(page, scene.site, id);
  const folded = conversation(page).locator("[aria-expanded=false]");
  await folded.first().waitFor();
  while ((await folded.count()) > 0) await folded.first().click();
  expect(await toldByPage(page)).toEqual({ facts: story, diff });
});
