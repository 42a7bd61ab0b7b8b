/** Whether it is here, which version, and who is signed in to the Claude Code it brings. */
import { record, text } from "../../drivers/acp/read.ts";
import type { AgentContext, Readiness } from "../contract.ts";
import { probeProgram } from "../shared/program.ts";
import type { SignIn } from "../shared/program.ts";
import { environmentOf } from "./launch.ts";
import { program, signInHelp } from "./program.ts";

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
  const { loggedIn, authMethod, apiKeySource } = record(parsed(stdout));
  if (typeof loggedIn !== "boolean") return { signedIn: "unknown" };
  if (!loggedIn) return { signedIn: "no", help: signInHelp };
  const [method, source] = [text(authMethod), text(apiKeySource)];
  return { signedIn: "yes", signedInHow: source === undefined ? method : `${method ?? "key"} (${source})` };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
