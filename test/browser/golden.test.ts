/** One log, told by the page, by `reins log` and by both exports: each tells the same. */
import { expect, test } from "vitest";
import { keepGoldenSession } from "./support/golden-session.ts";
import { conversation, openSession } from "./support/parts.ts";
import { useScene } from "./support/scene.ts";
import { toldByExport, toldByPage } from "./support/told-in-chromium.ts";
import { toldByLog, toldByMarkdown } from "./support/told-in-text.ts";

const id = "ses_golden";
const scene = useScene({ keep: (store, folder) => keepGoldenSession(store, id, folder) });

const story = [
  "you: Paint the door blue. Ask before you do.",
  "thought: A door. I look at it first.",
  "said: I look at the door first.",
  "plan: 0 of 3 done, now Look",
  "tool: Task: find every door",
  "  said: One door was found.",
  "  tool: Read door.txt",
  "plan: 1 of 3 done, now Paint the door",
  "asked: Which blue? · answered by person: sea",
  "tool: Edit door.txt",
  "  changed door.txt (+1 −1)",
  "asked: Edit door.txt · allowed by person",
  "you: And be quick.",
  "tool: Run rm -rf old-door · denied: Keep the old one.",
  "asked: Run rm -rf old-door · denied by person: Keep the old one.",
  "tool: Run test -d porch · exit code 1",
  "  created porch.log (+1 −0)",
  "note: There is little paint left.",
  "said: The door is blue: one coat door.txt changed",
  "plan: 3 of 3 done",
  "end: done in 4.2 s · 5 tool calls · 2 files changed",
  "you: Now the window.",
  "note: Retry 1 of 2 in 500 ms: The line is dead.",
  "note: Demo handed over to native: network",
  "tool: Read window.txt · failed: There is no window.txt.",
  "end: failed after 1.5 s · 1 tool call: Nobody could be reached.",
];
const diff = ["-a red door", "+a blue door", " of oak", "+no porch"];

test("by reins log, through the server that runs and without it", () => {
  expect(toldByLog(scene.site.printedBy("log", id)).facts).toEqual(story);
  expect(toldByLog(scene.site.printedBy("log", id, "--no-server")).facts).toEqual(story);
});

test("by the export as Markdown", () => {
  expect(toldByMarkdown(scene.site.printedBy("export", id, "--thoughts"))).toEqual({ facts: story, diff });
});

test("by the export as a page", async () => {
  const page = await scene.enter();
  await page.goto("about:blank");
  await page.setContent(scene.site.printedBy("export", id, "--thoughts", "--format", "html"));
  expect(await toldByExport(page)).toEqual({ facts: story, diff });
});

test("by the page", async () => {
  // So high that every row is there at once.
  const page = await scene.enter({ viewport: { width: 1280, height: 4_000 } });
  await openSession(page, scene.site, id);
  const folded = conversation(page).locator("[aria-expanded=false]");
  await folded.first().waitFor();
  while ((await folded.count()) > 0) await folded.first().click();
  expect(await toldByPage(page)).toEqual({ facts: story, diff });
});
