/**
 * Opening a session of 10,000 events in Chromium, by its address in a new tab and by a click in an open page, compared with a page of a
 * bare server that shows one word. Also the bytes of the first load. `node bench/page-open.ts` builds the package.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext, Page } from "playwright-core";
import { interleave, median, rounded } from "./pairs.ts";
import { report } from "./report.ts";
import { longPage } from "./support/long-page.ts";
import { shown } from "./support/shown.ts";

const events = 10_000;
const pairs = 30;

async function inNewTab(context: BrowserContext, address: string, words: string): Promise<number> {
  const page = await context.newPage();
  await page.goto(address, { waitUntil: "commit" });
  const ms: number = await page.evaluate(shown(words));
  await page.close();
  return ms;
}

async function byClick(page: Page, session: string, words: string): Promise<number> {
  const from: number = await page.evaluate(`(location.hash = "/s/${session}", performance.now())`);
  const ms: number = await page.evaluate(shown(words));
  await page.evaluate(`location.hash = "/"`);
  await page.waitForFunction(`!document.body.textContent.includes(${JSON.stringify(words)})`);
  return ms - from;
}

/** Kilobytes of everything the page loads until the network is idle. */
async function firstLoad(page: Page): Promise<number> {
  const bytes: number = await page.evaluate(
    `[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
      .filter(({ name }) => !name.includes("/api/")).reduce((sum, { transferSize }) => sum + transferSize, 0)`,
  );
  return bytes / 1_000;
}

await using long = await longPage(events);
const { context, entrance, session, address, lastWords } = long;
const bare = createServer((_request, response) =>
  response.setHeader("content-type", "text/html").end("<!doctype html><body>word</body>"),
).listen(0, "127.0.0.1");
const page = await context.newPage();
await page.goto(entrance, { waitUntil: "networkidle" });
const kilobytes = await firstLoad(page);
const empty = `http://127.0.0.1:${(bare.address() as AddressInfo).port}/`;
const opened = await interleave(
  pairs,
  () => inNewTab(context, address, lastWords),
  () => inNewTab(context, empty, "word"),
);
report("page-open", "reins < 1000", "ms", opened);
const clicks: number[] = [];
for (let click = 0; click < pairs; click++) clicks.push(await byClick(page, session, lastWords));
console.log(JSON.stringify({ bench: "page-click", ms: rounded(median(clicks)), goal: "< 1000", times: pairs }));
console.log(JSON.stringify({ bench: "page-first-load", kB: rounded(kilobytes), goal: "<= 250" }));
bare.closeAllConnections();
bare.close();
