/**
 * A session of 10,000 events, opened in Chromium: by its address in a new tab, and by a click in a page that is there; against a page of a bare server
 * that says one word. And what the first load takes over the wire. `node bench/page-open.ts` builds the package.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { openStore } from "../src/store/index.ts";
import { openBrowser } from "../test/browser/support/browser.ts";
import { keepLongSession } from "../test/browser/support/long-session.ts";
import { interleave, median, rounded } from "./pairs.ts";
import { report } from "./report.ts";
import { installedCommand } from "./support/installed.ts";
import { served } from "./support/served.ts";
import { shown } from "./support/shown.ts";

const events = 10_000;
const pairs = 30;
const id = "ses_00000000-0000-4000-8000-000000010000";

async function inNewTab(context: BrowserContext, address: string, words: string): Promise<number> {
  const page = await context.newPage();
  await page.goto(address, { waitUntil: "commit" });
  const ms: number = await page.evaluate(shown(words));
  await page.close();
  return ms;
}

async function byClick(page: Page, words: string): Promise<number> {
  const from: number = await page.evaluate(`(location.hash = "/s/${id}", performance.now())`);
  const ms: number = await page.evaluate(shown(words));
  await page.evaluate(`location.hash = "/"`);
  await page.waitForFunction(`!document.body.textContent.includes(${JSON.stringify(words)})`);
  return ms - from;
}

/** Kilobytes of all that a page loads until it rests. */
async function firstLoad(page: Page): Promise<number> {
  const bytes: number = await page.evaluate(
    `[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
      .filter(({ name }) => !name.includes("/api/")).reduce((sum, { transferSize }) => sum + transferSize, 0)`,
  );
  return bytes / 1_000;
}

using command = installedCommand();
const home = realpathSync(mkdtempSync(join(tmpdir(), "reins-bench-")));
try {
  let turns = 0;
  {
    using store = openStore({ env: { HOME: home, REINS_HOME: join(home, "reins") } });
    turns = keepLongSession(store, id, join(home, "work"), events);
  }
  const words = `Turn ${turns} is done`;
  await using server = await served(command.path, home);
  const bare = createServer((_request, response) =>
    response.setHeader("content-type", "text/html").end("<!doctype html><body>word</body>"),
  ).listen(0, "127.0.0.1");
  await using browser = await openBrowser();
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(`${server.url}/#token=${server.token}`, { waitUntil: "networkidle" });
  const kilobytes = await firstLoad(page);
  const empty = `http://127.0.0.1:${(bare.address() as AddressInfo).port}/`;
  const opened = await interleave(
    pairs,
    () => inNewTab(context, `${server.url}/#/s/${id}`, words),
    () => inNewTab(context, empty, "word"),
  );
  report("page-open", "reins < 1000", "ms", opened);
  const clicks: number[] = [];
  for (let click = 0; click < pairs; click++) clicks.push(await byClick(page, words));
  console.log(JSON.stringify({ bench: "page-click", ms: rounded(median(clicks)), goal: "< 1000", times: pairs }));
  console.log(JSON.stringify({ bench: "page-first-load", kB: rounded(kilobytes), goal: "<= 250" }));
  bare.closeAllConnections();
  bare.close();
} finally {
  rmSync(home, { recursive: true, force: true });
}
