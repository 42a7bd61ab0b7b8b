/** The adapter that speaks ACP for Claude Code: where it comes from, which version is needed, who is signed in. */
import { parseJson, record, text } from "../../protocols/json.ts";
import type { AgentContext, Readiness } from "../contract.ts";
import { probeProgram } from "../shared/program/program.ts";
import type { Program, SignIn } from "../shared/program/program.ts";
import { environmentOf } from "./launch.ts";

export const program: Program = {
  id: "claude-acp",
  name: "Claude Code over ACP",
  command: "claude-agent-acp",
  package: "@agentclientprotocol/claude-agent-acp",
  installHelp: "Install it with `npm install -g @agentclientprotocol/claude-agent-acp`.",
  updateHelp: "Update it with `npm install -g @agentclientprotocol/claude-agent-acp`.",
  // What this folder tells it beside a session is understood from here on, as far as it was tried.
  minimalVersion: "0.99.0",
};

export const signInHelp = "Run `claude auth login`, or set ANTHROPIC_API_KEY.";

/** In the order in which it looks at them. */
export const keyVariables = ["ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN"];

export function probe(context: AgentContext): Promise<Readiness> {
  const env = environmentOf(context.env);
  return probeProgram(program, context, {
    env,
    // What follows `--cli` is for the Claude Code it brings.
    signIn: async (run) => signInBy(env) ?? signInOf((await run("--cli", "auth", "status")).stdout),
  });
}

/** Asked about a key in a variable, it says no more than that it is set, and two programs are started for that. */
export function signInBy(env: Readonly<Record<string, string | undefined>>): SignIn | undefined {
  // Then a service in a cloud is asked, and what is set here is not what counts.
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
