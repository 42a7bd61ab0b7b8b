/** Debian's Chromium, and pages in it that record forbidden behaviour. */
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from "playwright-core";
import type { Site } from "./site.ts";

/** Disables all network traffic and content of the browser's own. */
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

export type Place = Pick<Site, "url" | "address">;

export interface Visit extends AsyncDisposable {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Problems in the page: errors, dialogs, requests to other hosts, opened windows. */
  readonly faults: string[];
}

export const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true };

/** Opens the printed address as a new visitor with a separate browser profile. */
export async function visit(browser: Browser, site: Place, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    colorScheme: "dark",
    locale: "en-GB",
    timezoneId: "UTC",
    reducedMotion: "reduce",
    ...options,
  });
  // Only ends a hanging test: the first page on a cold machine may take long.
  context.setDefaultTimeout(60_000);
  const faults: string[] = [];
  const page = await context.newPage();
  watch(page, site, faults);
  await page.goto(site.address);
  return { page, context, faults, [Symbol.asyncDispose]: () => context.close() };
}

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
