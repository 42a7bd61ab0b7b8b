/** Whether Claude Code is here, which version, and who is signed in; without asking a model. */
import { record, text } from "../../drivers/stream-json/read.ts";
import type { AgentContext, Readiness } from "../contract.ts";
import { probeProgram } from "../shared/program.ts";
import type { SignIn } from "../shared/program.ts";
import { environmentOf } from "./launch.ts";
import { program } from "./program.ts";

const help = "Run `claude auth login`, or set ANTHROPIC_API_KEY.";

export function probe(context: AgentContext): Promise<Readiness> {
  return probeProgram(program, context, {
    env: environmentOf(context.env),
    signIn: async (run) => signIn((await run("auth", "status")).stdout),
  });
}

function signIn(stdout: string): SignIn {
  const status = record(parsed(stdout));
  if (typeof status["loggedIn"] !== "boolean") return { signedIn: "unknown" };
  return status["loggedIn"]
    ? {
        signedIn: "yes",
        signedInHow: howOf(text(status["authMethod"]), text(status["apiKeySource"]), text(status["apiProvider"])),
      }
    : { signedIn: "no", help };
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
