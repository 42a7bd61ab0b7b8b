/** A long session, served by the built command, and a browser context that has signed in. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext } from "playwright-core";
import { openStore } from "../../src/store/index.ts";
import { openBrowser } from "../../test/browser/support/browser.ts";
import { keepLongSession } from "../../test/browser/support/long-session.ts";
import { installedCommand } from "./installed.ts";
import { served } from "./served.ts";

export interface LongPage extends AsyncDisposable {
  readonly context: BrowserContext;
  /** The address with the token that signs the browser in. */
  readonly entrance: string;
  readonly session: string;
  readonly address: string;
  readonly lastWords: string;
}

export async function longPage(events: number): Promise<LongPage> {
  await using stack = new AsyncDisposableStack();
  const command = stack.use(installedCommand());
  const home = stack.adopt(realpathSync(mkdtempSync(join(tmpdir(), "reins-bench-"))), (path) =>
    rmSync(path, { recursive: true, force: true }),
  );
  const session = `ses_00000000-0000-4000-8000-${String(events).padStart(12, "0")}`;
  const turns = keep(home, session, events);
  const server = stack.use(await served(command.path, home));
  const browser = stack.use(await openBrowser());
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const all = stack.move();
  return {
    context,
    entrance: `${server.url}/#token=${server.token}`,
    session,
    address: `${server.url}/#/s/${session}`,
    lastWords: `Turn ${turns} is done`,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

function keep(home: string, session: string, events: number): number {
  using store = openStore({ env: { HOME: home, REINS_HOME: join(home, "reins") } });
  return keepLongSession(store, session, join(home, "work"), events);
}
