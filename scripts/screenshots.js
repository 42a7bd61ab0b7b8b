/** `npm run screenshots`: the pictures of the page in docs/images, with made-up sessions and a scripted model. */
import { spawnSync } from "node:child_process";
import { mkdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildWhenStale } from "./lib/build-when-stale.js";
import { ensureChromium } from "./lib/chromium.js";
import { root } from "./lib/command.js";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  const modern = join(root, "node_modules", "node", "bin", "node");
  process.exit(spawnSync(modern, process.argv.slice(1), { stdio: "inherit" }).status ?? 1);
}

process.env.REINS_CHROMIUM = await ensureChromium();
if (process.env.REINS_TEST_BUILT === undefined) await buildWhenStale();
const { openBrowser, visit, phone } = await import("../test/browser/support/browser.ts");
const { Site } = await import("../test/browser/support/site.ts");
const parts = await import("../test/browser/support/parts.ts");
const { keepStory, storyFiles, storyPrompt, storyScenario } = await import("../test/browser/support/story.ts");

/** A picture in a README is looked at on every visit. */
const mostBytes = 200_000;
const folder = join(root, "docs", "images");
mkdirSync(folder, { recursive: true });

const site = await Site.open({
  place: join(tmpdir(), "reins-pictures"),
  files: storyFiles,
  keep: keepStory,
  scenarios: [storyScenario],
  fallback: storyScenario.name,
});
const browser = await openBrowser();

/** What blinks and turns would be another picture each time. */
const still = { animations: "disabled", caret: "hide" };

async function picture(name, options, prepare) {
  const { page, context, faults } = await visit(browser, site, options);
  await prepare(page);
  await page.mouse.move(0, 0);
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path, ...still });
  await context.close();
  const { size } = statSync(path);
  if (faults.length > 0) throw new Error(`${name}: ${faults.join("; ")}`);
  if (size > mostBytes) throw new Error(`${name}.png has ${size} bytes, and ${mostBytes} is the most.`);
  console.log(`docs/images/${name}.png ${Math.round(size / 1000)} kB`);
}

const conversation = async (page) => {
  await parts.openSession(page, site, "ses_story_fix");
  await parts.said(page, /All 14 tests pass/).waitFor();
};
const asked = async (page) => {
  const id = await parts.begin(site, "native", storyPrompt);
  await parts.openSession(page, site, id);
  await parts.permission(page, /Edit src\/cart\.ts/).waitFor();
};

try {
  await picture("page-dark", {}, async (page) => {
    await conversation(page);
    await parts.button(page, "Plan, files, usage").click();
  });
  await picture("page-light", { colorScheme: "light" }, async (page) => {
    await conversation(page);
    await parts.button(page, "Plan, files, usage").click();
  });
  await picture("diff", {}, async (page) => {
    await conversation(page);
    await parts.toolRow(page, "Edit src/cart.ts").click();
    await parts.button(page, "Side by side").click();
    await parts.toolRow(page, "Edit src/cart.ts").scrollIntoViewIfNeeded();
  });
  await picture("permission", {}, asked);
  await picture("compare", {}, async (page) => {
    const { id } = await site.call("POST", "/api/comparisons", {
      cwd: site.folder,
      prompt: storyPrompt,
      entries: [
        { agent: "native", model: "anthropic/claude-sonnet-5-5" },
        { agent: "native", model: "anthropic/claude-opus-5-5" },
      ],
      mode: "edits",
    });
    await page.goto(`${site.url}/#/compare/${id}`);
    for (const number of [1, 2])
      await page
        .getByRole("article", { name: `${number}. Native` })
        .getByText("1 file changed")
        .waitFor();
  });
  await picture("phone", { ...phone, deviceScaleFactor: 1.5 }, conversation);
} finally {
  await browser.close();
  await site[Symbol.asyncDispose]();
}
