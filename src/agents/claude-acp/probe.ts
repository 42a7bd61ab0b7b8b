/** Whether it is here, which version, and who is signed in to the Claude Code it brings. */
import { record, text } from "../../drivers/acp/read.ts";
import type { AgentContext, Readiness } from "../contract.ts";
import { probeProgram } from "../shared/program.ts";
import type { SignIn } from "../shared/program.ts";
import { environmentOf } from "./launch.ts";
import { program, signInHelp } from "./program.ts";

export function probe(context: AgentContext): Promise<Readiness> {
  return probeProgram(program, context, {
    env: environmentOf(context.env),
    // What follows `--cli` is for the Claude Code it brings.
    signIn: async (run) => signInOf((await run("--cli", "auth", "status")).stdout),
  });
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
