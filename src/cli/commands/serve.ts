import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { ReinsError } from "../../events/errors.ts";
import { absolutePath, currentFolder } from "../../process/launch/current-folder.ts";
import { stateHome } from "../../process/home.ts";
import { environmentFingerprint } from "../../server/environment-fingerprint.ts";
import { announce, findServer } from "../../server/server-file.ts";
import { firstStepWords } from "../../view/first-steps.ts";
import { realPath } from "../../workspace/real-paths.ts";
import { addCommand, collect, numberOption, type CommandContext } from "../command.ts";
import { ownVersion, packageFolders } from "../installation.ts";
import { Screen, writeOut } from "../render/screen.ts";

interface ServeOptions {
  readonly host: string;
  readonly port?: number;
  readonly root?: readonly string[];
  readonly allowHost?: readonly string[];
  readonly verbose?: boolean;
}

const usualPort = 7347;
const hourMs = 3_600_000;
const port = numberOption((value) => Number.isInteger(value) && value >= 0 && value <= 65_535, "a port, 0 to 65535");

export function register(program: Command, { ending }: CommandContext): void {
  addCommand(program, "serve", "Serve the web page and the API on this machine.")
    .option("--port <n>", "listen on this port (default: 7347, or any free port)", port)
    .option("--host <address>", "listen on this address instead of this machine only", "127.0.0.1")
    .option("--root <folder>", "allow only folders inside this one; may be repeated", collect)
    .option("--allow-host <name>", "allow this host name too; may be repeated", collect)
    .option("--verbose", "log each request to stderr")
    .action((options: ServeOptions) => serve(options, ending));
}

async function serve(options: ServeOptions, ending: AbortSignal): Promise<void> {
  const { env } = process;
  const { host, root, allowHost, verbose = false } = options;
  // Sessions without a folder of their own run here, so it must exist.
  currentFolder();
  const roots = root?.map(rootOf);
  const running = await findServer(env);
  if (running !== undefined)
    throw new ReinsError("invalid_input", `A server is already running at ${running.url} (pid ${running.pid}).`, {
      help: `Open ${addressOf(running.url, running.token)}`,
    });
  // Imported here, because registering this command must not load the server.
  const { openTokens } = await import("../../server/access/tokens.ts");
  const { serverLogger } = await import("../../server/logger.ts");
  const { startServer } = await import("../../server/start.ts");
  const { createReins } = await import("../../core/reins.ts");
  const { openStore } = await import("../../store/index.ts");
  const { dailyCleanup } = await import("../server-connection/local.ts");
  const tokens = openTokens(stateHome(env));
  using store = openStore();
  await using reins = createReins({ store });
  const version = ownVersion();
  const logger = serverLogger({ verbose, token: tokens.own, env, write: (line) => void process.stderr.write(line) });
  const built = packageFolders.map((folder) => join(folder, "dist", "web"));
  const page = built.find((folder) => existsSync(join(folder, "index.html")));
  const settings = { reins, store, host, tokens, roots, allowHosts: allowHost, logger, page, version };
  const start = (port: number) => startServer({ ...settings, port });
  // Fall back when another program has the usual port; a port that was named is not replaced.
  const server = await (options.port === undefined ? start(usualPort).catch(() => start(0)) : start(options.port));
  const forget = await announce(env, {
    url: server.url,
    token: tokens.own,
    version,
    surroundings: environmentFingerprint(env, tokens.own),
    rooted: root !== undefined,
  });
  try {
    const screen = new Screen();
    await writeOut(`${addressOf(server.url, tokens.own)}\n`);
    screen.line("Open this address in a browser. Anyone who has it can use your agents. Ctrl+C stops the server.");
    screen.line(`In the page: ${firstStepWords}.`);
    const isLoopback = host === "localhost" || host === "::1" || host.startsWith("127.");
    if (!isLoopback) screen.line(`! It listens on ${host} without encryption: others can read the traffic.`, "yellow");
    void dailyCleanup(reins);
    const tidying = setInterval(() => void dailyCleanup(reins), hourMs).unref();
    if (!ending.aborted) await once(ending, "abort");
    clearInterval(tidying);
  } finally {
    forget();
    await server.close();
  }
}

/** The root must exist: a misspelt one would refuse every folder without a reason. */
function rootOf(folder: string): string {
  const path = absolutePath(folder);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new ReinsError("invalid_input", `The folder ${path} does not exist.`);
  if (!found.isDirectory()) throw new ReinsError("invalid_input", `${path} is not a folder.`);
  return realPath(path);
}

/** Browsers do not send the hash, so no log contains the token. */
function addressOf(url: string, token: string): string {
  return `${url}/#token=${token}`;
}
