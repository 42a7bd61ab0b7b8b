/** The short commands. */
import { randomUUID } from "node:crypto";
import { accountOf, email, login, logout, requireAccount, status } from "./account.ts";
import type { Arguments } from "./arguments.ts";
import { Chat, listChats } from "./chats.ts";
import { mcpCommand } from "./mcp-command.ts";
import { currentModel, listedModels } from "./models.ts";
import { Ending, say } from "./output.ts";
import type { Traps } from "./traps.ts";

type Command = (given: Arguments, traps: Traps) => void | Promise<void>;

const asJson = (given: Arguments): boolean => given.value("format") === "json";

const statusCommand: Command = (given) => {
  const account = accountOf(given);
  if (asJson(given)) return say(JSON.stringify(status(account)));
  say(account === undefined ? "Not logged in" : `✓ Logged in as ${email}`);
};

/** Unused commands of the real program; without this list their names would be taken as prompts. */
const others = [
  "sandbox",
  "worker",
  "generate-rule",
  "rule",
  "install-shell-integration",
  "uninstall-shell-integration",
  "persist",
  "plugin",
  "bedrock",
];

const missing = (name: string) => (): void => {
  throw new Ending(1, `error: the stand-in has no command '${name}'`);
};

export const commands: Readonly<Record<string, Command>> = {
  status: statusCommand,
  whoami: statusCommand,
  about(given, { version }) {
    const facts = {
      cliVersion: version,
      latestStatus: "up_to_date",
      latestVersion: version,
      model: currentModel().label,
      subscriptionTier: "Pro",
      osPlatform: process.platform,
      osArch: process.arch,
      userEmail: accountOf(given) === undefined ? null : email,
      terminalProgram: "unknown",
      shell: "bash",
      lastRequestId: null,
    };
    if (asJson(given)) return say(JSON.stringify(facts, null, 2));
    say(
      Object.entries(facts)
        .map(([key, value]) => `${key.padEnd(20)}${value ?? ""}`)
        .join("\n"),
    );
  },
  models(given) {
    if (given.is.has("format")) throw new Ending(1, "error: unknown option '--format'");
    if (accountOf(given) === undefined) throw new Ending(1, modelsNeedAccount);
    say(listedModels());
  },
  async "create-chat"(given, traps) {
    requireAccount(given, traps);
    const chat = new Chat(randomUUID(), process.cwd());
    chat.keep();
    say(chat.id);
    if (traps.createChatStays) await new Promise(() => setInterval(() => undefined, 60_000));
  },
  login() {
    login();
    say("Login successful!");
  },
  logout() {
    logout();
    say("Logged out");
  },
  update: () => say("Already up to date"),
  /** The real program shows an interactive list, which needs a terminal. */
  ls() {
    if (!process.stdin.isTTY) throw new Ending(1, rawMode);
    for (const { id, title } of listChats(process.cwd())) say(`${id}  ${title}`);
  },
  resume() {
    throw new Ending(1, rawMode);
  },
  mcp: mcpCommand,
  help: () => say("Usage: agent [options] [command] [prompt...]"),
  ...Object.fromEntries(others.map((name) => [name, missing(name)])),
};

const rawMode =
  "ERROR  Raw mode is not supported on the current process.stdin, which Ink uses as input stream by default.";

const modelsNeedAccount =
  "Error: Authentication required. Run 'agent login', pass --api-key/--auth-token, or set CURSOR_API_KEY/CURSOR_AUTH_TOKEN.";
