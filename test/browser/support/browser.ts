/** Debian's chromium, and pages in it that tell what they should not have done. */
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from "playwright-core";
import type { Site } from "./site.ts";

/** Nothing of it leaves this machine, and it brings nothing of its own to look at. */
const args = [
  "--no-sandbox",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-domain-reliability",
  "--disable-sync",
  "--no-first-run",
  "--no-pings",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: process.env["REINS_CHROMIUM"] ?? "/usr/bin/chromium", args });
}

/** Where somebody goes: the server, and the address that it printed. */
export type Place = Pick<Site, "url" | "address">;

export interface Visit extends AsyncDisposable {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What went wrong in it: errors, dialogs, requests to others, windows that opened. */
  readonly faults: string[];
}

export const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true };

/** Somebody comes with the address that was printed. Each visitor has a profile of its own. */
export async function visit(browser: Browser, site: Place, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    colorScheme: "dark",
    locale: "en-GB",
    timezoneId: "UTC",
    reducedMotion: "reduce",
    ...options,
  });
  // No test is about time: this only ends one that hangs, also where the first page of a cold machine takes long.
  context.setDefaultTimeout(60_000);
  const faults: string[] = [];
  const page = await context.newPage();
  watch(page, site, faults);
  await page.goto(site.address);
  return { page, context, faults, [Symbol.asyncDispose]: () => context.close() };
}

/** Another tab of the same visitor. */
export async function anotherTab({ context, faults }: Visit, site: Place): Promise<Page> {
  const page = await context.newPage();
  watch(page, site, faults);
  await page.goto(site.url);
  return page;
}

function watch(page: Page, site: Place, faults: string[]): void {
  page.on("pageerror", (error) => faults.push(`threw: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") faults.push(`console: ${message.text()}`);
  });
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("popup", (popup) => faults.push(`window: ${popup.url()}`));
  page.on("download", (download) => faults.push(`download: ${download.suggestedFilename()}`));
  const mine = (url: string) => url.startsWith(`${site.url}/`) || url.startsWith(site.url.replace("http", "ws"));
  page.on("request", (request) => {
    const url = request.url();
    if (!mine(url) && !/^(?:data|blob):/.test(url)) faults.push(`request: ${url}`);
  });
  page.on("websocket", (socket) => {
    if (!mine(socket.url())) faults.push(`socket: ${socket.url()}`);
  });
  page.on("framenavigated", (frame) => {
    if (!mine(`${frame.url()}/`) && frame.url() !== "about:blank") faults.push(`went to: ${frame.url()}`);
  });
}
