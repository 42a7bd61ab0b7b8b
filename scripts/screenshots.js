/**
 * `npm run screenshots [-- <name> ...]`: makes the pictures of the page and of the terminal in docs/images, with invented sessions and a
 * scripted model.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildWhenStale } from "./lib/build-when-stale.js";
import { ensureChromium } from "./lib/chromium.js";
import { root } from "./lib/command.js";
import { backgroundOf, screenHtml } from "./lib/terminal-picture.js";

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
const { openPty } = await import("../test/support/pty.ts");
const { keepStory, storyFiles, storyPrompt, storyScenario } = await import("../test/browser/support/story.ts");

/** A picture in the README is downloaded on every visit. */
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

/** Blinking or moving parts would make every picture different. */
const still = { animations: "disabled", caret: "hide" };

const wanted = process.argv.slice(2);
const isWanted = (name) => wanted.length === 0 || wanted.includes(name);
const pathOf = (name) => join(folder, `${name}.png`);

async function picture(name, options, prepare) {
  if (!isWanted(name)) return;
  const { page, context, faults } = await visit(browser, site, options);
  await prepare(page);
  await page.mouse.move(0, 0);
  await page.screenshot({ path: pathOf(name), ...still });
  await context.close();
  if (faults.length > 0) throw new Error(`${name}: ${faults.join("; ")}`);
  checkSize(name);
}

/** Runs the interface in a real terminal and lets the browser draw the emulator's screen. */
async function terminalPicture(name, { args = [], columns = 120, rows = 34, look = "dark" }, prepare) {
  if (!isWanted(name)) return;
  const terminal = openPty(site.command("tui", ...args), {
    ...{ cwd: site.folder, columns, rows, background: backgroundOf(look) },
    env: { ...site.env, TERM: "xterm-256color", COLORTERM: "truecolor" },
  });
  try {
    await terminal.shows(/ · ask/);
    await terminal.hides("Loading the repository");
    await prepare(terminal);
    await terminal.terminal.settle();
    const page = await browser.newPage({ deviceScaleFactor: 1.5 });
    await page.setContent(screenHtml(terminal.terminal.terminal, look));
    await page.locator("#screen").screenshot({ path: pathOf(name) });
    await page.close();
  } finally {
    await terminal[Symbol.asyncDispose]();
  }
  checkSize(name);
}

function checkSize(name) {
  const { size } = statSync(pathOf(name));
  if (size > mostBytes) throw new Error(`${name}.png has ${size} bytes; the limit is ${mostBytes}.`);
  console.log(`docs/images/${name}.png ${Math.round(size / 1000)} kB`);
}

const conversation = async (page) => {
  await parts.openSession(page, site, "ses_story_fix");
  await parts.said(page, /All 14 tests pass/).waitFor();
};
const permissionInTerminal = async (terminal) => {
  terminal.type(storyPrompt);
  await terminal.shows("and fix it.");
  terminal.type("\r");
  await terminal.shows("y Allow once");
  await terminal.shows("● Waiting for your answer");
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
  await terminalPicture(
    "terminal-diff",
    { args: ["--resume", "ses_story_fix"], columns: 132, rows: 30 },
    async (terminal) => {
      await terminal.shows("All 14 tests pass");
      terminal.type("/diff\r");
      await terminal.shows("let total = 0;");
    },
  );
  await terminalPicture(
    "terminal-sessions",
    { args: ["--resume", "ses_story_slow"], columns: 110, rows: 26 },
    async (terminal) => {
      await terminal.shows("Types are checked twice");
      terminal.type("\x18s");
      await terminal.shows("Release notes for 2.4");
    },
  );
  await terminalPicture("terminal-commands", { args: ["-a", "demo"] }, async (terminal) => {
    terminal.type("/status\r");
    await terminal.shows("Demo Status");
    terminal.type("/mo");
    await terminal.shows("/models");
  });
  await terminalPicture("terminal", { args: ["-a", "native"] }, permissionInTerminal);
  await terminalPicture("terminal-light", { args: ["-a", "native"], look: "light" }, permissionInTerminal);
  await picture("phone", { ...phone, deviceScaleFactor: 1.5 }, conversation);
} finally {
  await browser.close();
  await site[Symbol.asyncDispose]();
}
