/** Whether Copilot is here, which version, and who is signed in; without asking anybody. */
import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { record, records, text } from "../../drivers/acp/read.ts";
import type { AgentContext, Readiness } from "../contract.ts";
import { probeProgram } from "../shared/program.ts";
import type { SignIn } from "../shared/program.ts";
import { environmentOf } from "./launch.ts";
import { program, signInHelp } from "./program.ts";

/** In the order in which it looks at them. */
export const tokenVariables = ["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"];

export function probe(context: AgentContext): Promise<Readiness> {
  return probeProgram(program, context, { env: environmentOf(context.env), signIn: () => signIn(context.env) });
}

export function copilotHome(env: AgentContext["env"]): string {
  return env["COPILOT_HOME"] || join(env["HOME"] || homedir(), ".copilot");
}

/**
 * It has no command that tells. Its own tokens are in the system's keyring, and whose they are is in a file. It also takes those of
 * GitHub's `gh`, whose keyring is not ours to open: then only a session tells.
 */
async function signIn(env: AgentContext["env"]): Promise<SignIn> {
  if (env["COPILOT_PROVIDER_BASE_URL"])
    return { signedIn: "yes", signedInHow: "own model service (COPILOT_PROVIDER_BASE_URL)" };
  const variable = tokenVariables.find((name) => env[name]);
  if (variable !== undefined) return { signedIn: "yes", signedInHow: `token (${variable})` };
  const account = accountIn(await readFile(join(copilotHome(env), "config.json"), "utf8").catch(() => ""));
  if (account !== undefined) return { signedIn: "yes", signedInHow: `GitHub account ${account}` };
  const gh = await stat(join(ghHome(env), "hosts.yml")).catch(() => undefined);
  return gh === undefined ? { signedIn: "no", help: signInHelp } : { signedIn: "unknown" };
}

function ghHome(env: AgentContext["env"]): string {
  return env["GH_CONFIG_DIR"] || join(env["XDG_CONFIG_HOME"] || join(env["HOME"] || homedir(), ".config"), "gh");
}

/** The file is JSON with comments before it. */
export function accountIn(file: string): string | undefined {
  try {
    const config = record(JSON.parse(file.replaceAll(/^\s*\/\/.*$/gm, "")));
    const last = record(config["lastLoggedInUser"] ?? config["last_logged_in_user"]);
    const users = records(config["loggedInUsers"] ?? config["logged_in_users"]);
    return text(last["login"]) ?? text(users[0]?.["login"]);
  } catch {
    return undefined;
  }
}
