/** The setup of a test file: a browser, a server, and visitors whose faults fail the test. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { anotherTab, openBrowser, visit, type Visit } from "./browser.ts";
import { Site, type SiteOptions } from "./site.ts";

export interface Scene {
  readonly site: Site;
  /** A new visitor opens the address. */
  enter(options?: BrowserContextOptions): Promise<Page>;
  secondTab(): Promise<Page>;
  /** Expected faults of this test. */
  allow(pattern: RegExp): void;
}

export function useScene(options: SiteOptions = {}): Scene {
  let browser: Browser | undefined;
  let site: Site | undefined;
  let visits: Visit[] = [];
  let allowed: RegExp[] = [];

  beforeAll(async () => {
    browser = await openBrowser();
    site = await Site.open(options);
  });

  afterEach(async ({ task }) => {
    if (task.result?.state === "fail") for (const { context } of visits) await Promise.all(context.pages().map(show));
    const faults = visits.flatMap((one) => one.faults).filter((fault) => !allowed.some((each) => each.test(fault)));
    await Promise.all(visits.map((one) => one[Symbol.asyncDispose]()));
    visits = [];
    allowed = [];
    expect(faults).toEqual([]);
  });

  afterAll(async () => {
    await browser?.close();
    await site?.[Symbol.asyncDispose]();
  });

  return {
    get site() {
      return site as Site;
    },
    async enter(how) {
      const one = await visit(browser as Browser, site as Site, how);
      visits.push(one);
      return one.page;
    },
    secondTab() {
      return anotherTab(visits.at(-1) as Visit, site as Site);
    },
    allow: (pattern) => void allowed.push(pattern),
  };
}

/** Prints the visible page beside the reason of a failure. */
async function show(page: Page): Promise<void> {
  console.error((await page.locator("main").ariaSnapshot().catch(String)).slice(0, 6_000));
  const folder = process.env["REINS_PICTURES"];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${Date.now()}.png` }).catch(() => undefined);
}
