import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { createReins } from "../core/reins.ts";
import { ReinsError } from "../events/errors.ts";
import { absolutePath, currentFolder } from "../process/current-folder.ts";
import { stateHome } from "../process/home.ts";
import { openTokens } from "../server/access/tokens.ts";
import { serverLogger } from "../server/logger.ts";
import { announce, findServer } from "../server/server-file.ts";
import { startServer } from "../server/start.ts";
import { surroundingsOf } from "../server/surroundings.ts";
import { openStore } from "../store/index.ts";
import { realPath } from "../core/inside.ts";
import { Screen, writeOut } from "./screen.ts";
import { tidy } from "./tidy.ts";
import { above, ownVersion } from "./version.ts";

export interface ServeCommand {
  readonly host: string;
  readonly port?: number;
  readonly root?: readonly string[];
  readonly allowHost?: readonly string[];
  readonly verbose?: boolean;
}

const usualPort = 7347;
const hourMs = 3_600_000;

/** `reins serve`: the page and the API, until it is told to end. */
export async function serve(options: ServeCommand, ending: AbortSignal): Promise<void> {
  const { env } = process;
  const { host, root, allowHost, verbose = false } = options;
  // What clients name no folder for is done here.
  currentFolder();
  const roots = root?.map(rootOf);
  const running = await findServer(env);
  if (running !== undefined)
    throw new ReinsError("invalid_input", `A server runs already, at ${running.url} (pid ${running.pid}).`, {
      help: `Open ${addressOf(running.url, running.token)}`,
    });
  const tokens = openTokens(stateHome(env));
  using store = openStore();
  await using reins = createReins({ store });
  const version = ownVersion();
  const start = (port: number) =>
    startServer({
      reins,
      store,
      host,
      port,
      tokens,
      roots,
      allowHosts: allowHost,
      logger: serverLogger({ verbose, token: tokens.own, env, write: (line) => void process.stderr.write(line) }),
      page: pageFolder(),
      version,
    });
  // The usual port may be somebody's; one that was named is wanted.
  const server = await (options.port === undefined ? start(usualPort).catch(() => start(0)) : start(options.port));
  const forget = await announce(env, {
    url: server.url,
    token: tokens.own,
    version,
    surroundings: surroundingsOf(env, tokens.own),
    rooted: root !== undefined,
  });
  try {
    const screen = new Screen();
    await writeOut(`${addressOf(server.url, tokens.own)}\n`);
    screen.line("Open it in a browser. Whoever has this address may use your agents. Ctrl-C ends it.");
    if (!isLoopback(host)) screen.line(`! It listens on ${host}, without encryption: others may read along.`, "yellow");
    // At most once a day comes of it.
    void tidy(reins);
    const tidying = setInterval(() => void tidy(reins), hourMs).unref();
    await ended(ending);
    clearInterval(tidying);
  } finally {
    forget();
    await server.close();
  }
}

/** One that is misspelt would let nobody in, and nobody would know why. */
function rootOf(folder: string): string {
  const path = absolutePath(folder);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new ReinsError("invalid_input", `The folder ${path} does not exist.`);
  if (!found.isDirectory()) throw new ReinsError("invalid_input", `${path} is not a folder.`);
  return realPath(path);
}

/** Behind the hash: what stands there is sent to nobody, and so in no log. */
function addressOf(url: string, token: string): string {
  return `${url}/#token=${token}`;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}

function ended(ending: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (ending.aborted) resolve();
    else ending.addEventListener("abort", () => resolve(), { once: true });
  });
}

function pageFolder(): string | undefined {
  return above.map((folder) => join(folder, "dist", "web")).find((folder) => existsSync(join(folder, "index.html")));
}
