import type { JsonObject } from "../../protocols/json.ts";
import { childEnvironment } from "../../process/index.ts";
import type { OpenOptions } from "../contract.ts";
import { everyMcpTool, lookingTools, namesOf } from "./tools.ts";

const declaredNames = ["CLAUDE_CONFIG_DIR", "IS_SANDBOX", "API_TIMEOUT_MS", "MAX_THINKING_TOKENS", "SSH_AUTH_SOCK"];
/** Prefixes of its own variables and of those that Claude Code documents for Bedrock, Vertex and Foundry. */
const declaredPrefixes = "ANTHROPIC_ CLAUDE_CODE_ CLAUDE_AGENT_ DISABLE_ AWS_ GOOGLE_ VERTEX_ AZURE_".split(" ");

/** Claude Code sets these for its tools. If Reins runs as such a tool, it must not pass them on. */
const ofAnOuterSession = ["CHILD_SESSION", "ENTRYPOINT", "SESSION_ID", "SSE_PORT"].map((name) => `CLAUDE_CODE_${name}`);

export function environmentOf(
  parentEnv: Readonly<Record<string, string | undefined>>,
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const env = childEnvironment(parentEnv, { names: declaredNames, prefixes: declaredPrefixes });
  for (const name of ofAnOuterSession) delete env[name];
  // Its own ten retries can take minutes; the route decides whether to wait, retry or switch.
  env["CLAUDE_CODE_MAX_RETRIES"] ??= "2";
  env["CLAUDE_AGENT_ACP_PROTOCOL"] = "v1";
  return { ...env, ...extra };
}

/** Options that ACP does not have. */
export function sessionMetaOf(options: OpenOptions): JsonObject {
  const { mode, tools, maxTurns, maxBudgetUsd, systemPrompt } = options;
  const disallowedTools = [...namesOf(tools?.disallowed), ...(mode === "read" ? [everyMcpTool] : [])];
  const own = {
    // Nothing may switch it to a mode in which it does not ask.
    allowDangerouslySkipPermissions: false,
    // Otherwise a model decides which commands run in plan mode, and nobody is asked.
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
