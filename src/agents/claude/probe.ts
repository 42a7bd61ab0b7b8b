/** Whether Claude Code is here, which version, and who is signed in; without asking a model. */
import { tmpdir } from "node:os";
import { toReinsError } from "../../events/errors.ts";
import { findCommand } from "../../process/index.ts";
import type { AgentContext, Readiness } from "../contract.ts";
import { commandOf } from "./command.ts";
import type { Command } from "./command.ts";
import { environmentOf } from "./launch.ts";
import { record, text } from "../../drivers/stream-json/read.ts";
import { isSupported, unsupportedVersion, versionIn } from "./version.ts";

export const installHelp = "Install it with `npm install -g @anthropic-ai/claude-code`.";
const signInHelp = "Run `claude auth login`, or set ANTHROPIC_API_KEY.";

export async function probe(context: AgentContext): Promise<Readiness> {
  try {
    return await look(context, commandOf(context.env));
  } catch (error) {
    const { message, help } = toReinsError(error);
    return { ready: false, installed: false, signedIn: "unknown", help: `${message} ${help ?? ""}`.trim() };
  }
}

async function look(context: AgentContext, command: Command): Promise<Readiness> {
  const found = await findCommand(command.path, context.env);
  if (found === undefined) return { ready: false, installed: false, signedIn: "unknown", help: installHelp };
  if (!found.executable) {
    return {
      ready: false,
      installed: false,
      path: found.path,
      signedIn: "unknown",
      help: `Make ${found.path} executable, or install it again.`,
    };
  }
  const run = (...args: string[]) =>
    context.processes.run(
      {
        command: found.path,
        args: [...command.args, ...args],
        cwd: tmpdir(),
        env: environmentOf(context.env),
        agent: "claude",
      },
      context.deadlines.probe,
    );
  const [about, status] = await Promise.all([run("--version"), run("auth", "status")]);
  const version = versionIn(about.stdout);
  const { signedIn, signedInHow } = signIn(status.stdout);
  const known = { installed: true, path: found.path, version, signedIn, signedInHow };
  if (version === undefined) {
    const what = about.timedOut ? "did not say its version in time" : "did not say its version";
    return { ...known, ready: false, help: `${found.path} ${what}; check that it is Claude Code.` };
  }
  if (!isSupported(version)) {
    const { message, help } = unsupportedVersion(version);
    return { ...known, ready: false, help: `${message} ${help}` };
  }
  return signedIn === "no" ? { ...known, ready: false, help: signInHelp } : { ...known, ready: true };
}

function signIn(stdout: string): Pick<Readiness, "signedIn" | "signedInHow"> {
  const status = record(parsed(stdout));
  if (typeof status["loggedIn"] !== "boolean") return { signedIn: "unknown" };
  return status["loggedIn"]
    ? {
        signedIn: "yes",
        signedInHow: howOf(text(status["authMethod"]), text(status["apiKeySource"]), text(status["apiProvider"])),
      }
    : { signedIn: "no" };
}

function howOf(
  method: string | undefined,
  source: string | undefined,
  provider: string | undefined,
): string | undefined {
  if (provider !== undefined && provider !== "firstParty") return provider;
  switch (method) {
    case "api_key":
      return source === undefined ? "API key" : `API key (${source})`;
    case "oauth_token":
      return "token";
    case "claude.ai":
      return "subscription";
    default:
      return method;
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
