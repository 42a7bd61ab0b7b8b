/** Options of a session: the environment of the program, and what it is told beside the start of a session. */
import type { JsonObject } from "../../protocols/json.ts";
import { childEnvironment } from "../../process/index.ts";
import type { OpenOptions } from "../contract.ts";
import { everyMcpTool, lookingTools, namesOf } from "./tools.ts";

const declaredNames = ["CLAUDE_CONFIG_DIR", "IS_SANDBOX", "API_TIMEOUT_MS", "MAX_THINKING_TOKENS", "SSH_AUTH_SOCK"];
/** Its own, and what Claude Code documents for Bedrock, Vertex and Foundry. */
const declaredPrefixes = [
  "ANTHROPIC_",
  "CLAUDE_CODE_",
  "CLAUDE_AGENT_",
  "DISABLE_",
  "AWS_",
  "GOOGLE_",
  "VERTEX_",
  "AZURE_",
];

/** What a Claude Code gives to its tools. Where Reins is such a tool, the new session is not a part of the outer one. */
const ofAnOuterSession = [
  "CLAUDE_CODE_CHILD_SESSION",
  "CLAUDE_CODE_ENTRYPOINT",
  "CLAUDE_CODE_SESSION_ID",
  "CLAUDE_CODE_SSE_PORT",
];

export function environmentOf(
  parentEnv: Readonly<Record<string, string | undefined>>,
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const env = childEnvironment(parentEnv, { names: declaredNames, prefixes: declaredPrefixes });
  for (const name of ofAnOuterSession) delete env[name];
  // Its own ten tries can take minutes; whether to wait, try again or move on is for the route to decide.
  env["CLAUDE_CODE_MAX_RETRIES"] ??= "2";
  env["CLAUDE_AGENT_ACP_PROTOCOL"] = "v1";
  return { ...env, ...extra };
}

/** ACP has no words for these: they go to the program as options of its own. */
export function sessionMetaOf(options: OpenOptions): JsonObject {
  const { mode, tools, maxTurns, maxBudgetUsd, systemPrompt } = options;
  const disallowedTools = [...namesOf(tools?.disallowed), ...(mode === "read" ? [everyMcpTool] : [])];
  const own = {
    // Nothing may put it into a mode in which it asks no more.
    allowDangerouslySkipPermissions: false,
    // While it plans, a model of its own would decide which commands may run, and nobody would be asked.
    settings: { useAutoModeDuringPlan: false },
    forwardSubagentText: true,
    ...(mode === "read" && { tools: lookingTools }),
    ...(tools?.allowed !== undefined && { allowedTools: namesOf(tools.allowed) }),
    ...(disallowedTools.length > 0 && { disallowedTools }),
    ...(maxTurns !== undefined && { maxTurns }),
    ...(maxBudgetUsd !== undefined && { maxBudgetUsd }),
  };
  const prompt = systemPrompt?.how === "append" ? { append: systemPrompt.text } : systemPrompt?.text;
  return { claudeCode: { options: own }, ...(prompt !== undefined && { systemPrompt: prompt }) };
}
