/** The Claude Code program: where it comes from, the version Reins needs, who is signed in. */
import { parseJson, record, text, type JsonObject } from "../../protocols/json.ts";
import type { AgentContext, Readiness } from "../contract.ts";
import { probeProgram, type Program, type SignIn } from "../shared/program/program.ts";
import { conversationState } from "../../protocols/conversation-state.ts";
import { environmentOf } from "./launch.ts";

export const program: Program = {
  id: "claude",
  name: "Claude Code",
  command: "claude",
  package: "@anthropic-ai/claude-code",
  installHelp: "Install it with `npm install -g @anthropic-ai/claude-code`.",
  updateHelp: "Update it with `claude update` or `npm install -g @anthropic-ai/claude-code`.",
  // 2.1.185 lacks messages that this folder relies on.
  minimalVersion: "2.1.300",
};

export const { encode: encodeState, decode: decodeState } = conversationState(program);

export const signInHelp = "Run `claude auth login`, or set ANTHROPIC_API_KEY.";

export function probe(context: AgentContext): Promise<Readiness> {
  return probeProgram(program, context, {
    env: environmentOf(context.env),
    signIn: async (run) => signIn((await run("auth", "status")).stdout),
  });
}

function signIn(stdout: string): SignIn {
  const status = record(parseJson(stdout));
  if (typeof status["loggedIn"] !== "boolean") return { signedIn: "unknown" };
  if (!status["loggedIn"]) return { signedIn: "no", help: signInHelp };
  return { signedIn: "yes", signedInHow: howOf(status), email: text(status["email"]) };
}

function howOf({ authMethod, apiKeySource, apiProvider }: JsonObject): string | undefined {
  const [method, source, provider] = [text(authMethod), text(apiKeySource), text(apiProvider)];
  if (provider !== undefined && provider !== "firstParty") return provider;
  if (method === "api_key") return source === undefined ? "API key" : `API key (${source})`;
  if (method === "oauth_token") return "token";
  return method === "claude.ai" ? "subscription" : method;
}
