import { access, constants, readFile, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { ReinsError } from "../../events/errors.ts";
import { findCommand } from "../../process/index.ts";
import { childEnvironment } from "../../process/launch/environment.ts";
import { record, records, text } from "../../protocols/json.ts";
import type { AgentContext, Readiness } from "../contract.ts";
import { parseJsonc } from "../shared/jsonc.ts";
import { probeProgram, requireProgram, type Command, type Program, type SignIn } from "../shared/program/program.ts";

export const program: Program = {
  id: "copilot",
  name: "GitHub Copilot",
  command: "copilot",
  package: "@github/copilot",
  installHelp: "Install it with `npm install -g @github/copilot`.",
  updateHelp: "Update it with `copilot update` or `npm install -g @github/copilot`.",
  minimalVersion: "1.0.102",
};

export const signInHelp =
  "Run `copilot login`, or set COPILOT_GITHUB_TOKEN, or a model service of your own (COPILOT_PROVIDER_BASE_URL).";

export interface LaunchFiles {
  readonly mcpConfig?: string | undefined;
  readonly instructions?: string | undefined;
}

const unheldVariables = ["COPILOT_ALLOW_ALL", "COPILOT_ASSISTED_APPROVAL"];

const declaredNames = ["GH_TOKEN", "GITHUB_TOKEN", "GH_HOST", "GH_CONFIG_DIR", "USE_BUILTIN_RIPGREP", "SSH_AUTH_SOCK"];

/** Copilot sets these for its tools. If Reins runs as such a tool, it must not pass them on. */
const ofAnOuterSession =
  "COPILOT_AGENT_SESSION_ID COPILOT_CLI COPILOT_CLI_BINARY_VERSION COPILOT_CLI_RESOLVED_DIST_DIR".split(" ");

export function environmentOf(
  parentEnv: Readonly<Record<string, string | undefined>>,
  extra: Readonly<Record<string, string>> = {},
  files: LaunchFiles = {},
): Record<string, string> {
  const env = childEnvironment(parentEnv, { names: declaredNames, prefixes: ["COPILOT_"] });
  for (const name of [...ofAnOuterSession, ...unheldVariables]) delete env[name];
  const loose = unheldVariables.find((name) => name in extra);
  if (loose !== undefined) throw unheld(`the variable ${loose}`);
  // An update between two turns would replace the version that was checked.
  env["COPILOT_AUTO_UPDATE"] ??= "false";
  const all = { ...env, ...extra };
  if (files.instructions === undefined) return all;
  const folders = [all["COPILOT_CUSTOM_INSTRUCTIONS_DIRS"], dirname(files.instructions)].filter(Boolean);
  return { ...all, COPILOT_CUSTOM_INSTRUCTIONS_DIRS: folders.join(",") };
}

export function unheld(what: string): ReinsError {
  return new ReinsError("invalid_input", `Reins cannot control GitHub Copilot's tools with ${what}.`, {
    agent: program.id,
    help: "Leave it out.",
  });
}

/** In Copilot's order of precedence. */
export const tokenVariables = ["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"];

export function probe(context: AgentContext): Promise<Readiness> {
  return probeProgram(program, context, { env: environmentOf(context.env), signIn: () => signIn(context.env) });
}

export function copilotHome(env: AgentContext["env"]): string {
  return env["COPILOT_HOME"] || join(env["HOME"] || homedir(), ".copilot");
}

/**
 * Copilot has no command that reports the sign-in. Its tokens are in the system's keyring, and the account is in a
 * file. It also accepts those of GitHub's `gh`, whose keyring Reins does not open: then only a session shows it.
 */
async function signIn(env: AgentContext["env"]): Promise<SignIn> {
  if (env["COPILOT_PROVIDER_BASE_URL"])
    return { signedIn: "yes", signedInHow: "own model service (COPILOT_PROVIDER_BASE_URL)" };
  const variable = tokenVariables.find((name) => env[name]);
  if (variable !== undefined) return { signedIn: "yes", signedInHow: `token (${variable})` };
  const account = await accountIn(await readFile(join(copilotHome(env), "config.json"), "utf8").catch(() => ""));
  if (account !== undefined) return { signedIn: "yes", signedInHow: `GitHub account ${account}` };
  const gh = await stat(join(ghHome(env), "hosts.yml")).catch(() => undefined);
  return gh === undefined ? { signedIn: "no", help: signInHelp } : { signedIn: "unknown" };
}

function ghHome(env: AgentContext["env"]): string {
  return env["GH_CONFIG_DIR"] || join(env["XDG_CONFIG_HOME"] || join(env["HOME"] || homedir(), ".config"), "gh");
}

export async function accountIn(file: string): Promise<string | undefined> {
  try {
    const config = record(await parseJsonc(file));
    const last = record(config["lastLoggedInUser"] ?? config["last_logged_in_user"]);
    const users = records(config["loggedInUsers"] ?? config["logged_in_users"]);
    return text(last["login"]) ?? text(users[0]?.["login"]);
  } catch {
    return undefined;
  }
}

/** The npm package starts the real program from a small Node program, which leaves it running when killed. So Reins starts the real one. */
export async function requireCopilot({ env }: AgentContext): Promise<Command> {
  return withoutLoader(await requireProgram(program, env), env);
}

export async function withoutLoader(command: Command, env: AgentContext["env"]): Promise<Command> {
  const found = await findCommand(command.path, env);
  const loader = found === undefined ? undefined : await realpath(found.path).catch(() => undefined);
  if (loader === undefined || basename(loader) !== "npm-loader.js") return command;
  // The loader knows which C library there is: when both packages are installed, it chooses.
  const systems = process.platform === "linux" ? ["linux", "linuxmusl"] : [process.platform];
  const name = process.platform === "win32" ? "copilot.exe" : "copilot";
  const packages = systems.map((system) => join(dirname(dirname(loader)), `copilot-${system}-${process.arch}`, name));
  const there = await Promise.allSettled(packages.map((path) => access(path, constants.X_OK)));
  const binaries = packages.filter((_, index) => there[index]?.status === "fulfilled");
  return binaries.length === 1 ? { path: binaries[0]!, args: command.args } : command;
}
