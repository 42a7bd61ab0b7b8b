/** What a file of tests has: a browser, a server, and visitors that must not have done anything they should not. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, onTestFailed } from "vitest";
import { anotherTab, openBrowser, visit, type Visit } from "./browser.ts";
import { Site, type SiteOptions } from "./site.ts";

export interface Scene {
  readonly site: Site;
  /** Somebody new opens the address. */
  enter(options?: BrowserContextOptions): Promise<Page>;
  /** The newest visitor opens a second tab. */
  secondTab(): Promise<Page>;
  /** Faults of this test that are meant. */
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

  afterEach(async () => {
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

  /** What a person would have seen, beside the reason of the failure. */
  const show = async (page: Page): Promise<void> => {
    console.error(await page.locator("body").ariaSnapshot().catch(String));
    const folder = process.env["REINS_PICTURES"];
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${Date.now()}.png` }).catch(() => undefined);
  };

  return {
    get site() {
      return site as Site;
    },
    async enter(how) {
      const one = await visit(browser as Browser, site as Site, how);
      visits.push(one);
      onTestFailed(() => show(one.page));
      return one.page;
    },
    async secondTab() {
      const page = await anotherTab(visits.at(-1) as Visit, site as Site);
      onTestFailed(() => show(page));
      return page;
    },
    allow: (pattern) => void allowed.push(pattern),
  };
}
