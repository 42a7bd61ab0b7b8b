/** The adapter that speaks ACP for Claude Code: version and sign-in. */
import { parseJson, record, text } from "../../protocols/json.ts";
import type { AgentContext, Readiness } from "../contract.ts";
import { probeProgram, type Program, type SignIn } from "../shared/program/program.ts";
import { environmentOf } from "./launch.ts";

export const program: Program = {
  id: "claude-acp",
  name: "Claude Code over ACP",
  command: "claude-agent-acp",
  package: "@agentclientprotocol/claude-agent-acp",
  installHelp: "Install it with `npm install -g @agentclientprotocol/claude-agent-acp`.",
  updateHelp: "Update it with `npm install -g @agentclientprotocol/claude-agent-acp`.",
  // The first version that was tested with this `_meta`.
  minimalVersion: "0.99.0",
};

export const signInHelp = "Run `claude auth login`, or set ANTHROPIC_API_KEY.";

/** In its order of precedence. */
export const keyVariables = ["ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN"];

export function probe(context: AgentContext): Promise<Readiness> {
  const env = environmentOf(context.env);
  return probeProgram(program, context, {
    env,
    // Arguments after `--cli` are for the bundled Claude Code.
    signIn: async (run) => signInBy(env) ?? signInOf((await run("--cli", "auth", "status")).stdout),
  });
}

/** Avoids the command, which would start two programs only to report that the variable is set. */
export function signInBy(env: Readonly<Record<string, string | undefined>>): SignIn | undefined {
  // A cloud service is used then, and these variables do not count.
  if (Object.keys(env).some((name) => name.startsWith("CLAUDE_CODE_USE_"))) return undefined;
  const variable = keyVariables.find((name) => env[name]);
  if (variable === undefined) return undefined;
  return { signedIn: "yes", signedInHow: `${variable.endsWith("KEY") ? "API key" : "token"} (${variable})` };
}

export function signInOf(stdout: string): SignIn {
  const { loggedIn, authMethod, apiKeySource } = record(parseJson(stdout));
  if (typeof loggedIn !== "boolean") return { signedIn: "unknown" };
  if (!loggedIn) return { signedIn: "no", help: signInHelp };
  const [method, source] = [text(authMethod), text(apiKeySource)];
  return { signedIn: "yes", signedInHow: source === undefined ? method : `${method ?? "key"} (${source})` };
}
