/** Options of a session as Claude Code's command line and environment. */
import { ReinsError } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import { childEnvironment } from "../../process/index.ts";
import type { McpServer, OpenOptions } from "../contract.ts";
import { bareVariable, heldSettings } from "./settings.ts";
import { commonRules } from "./tool-filter.ts";

/** `read` and `full` are the agent's own default: Reins holds every tool and denies or allows it, so no flag is needed that root may not use. */
export const nativeModes = {
  read: "default",
  plan: "plan",
  ask: "default",
  edits: "acceptEdits",
  full: "default",
} as const satisfies Record<Mode, string>;

/** With these the program would no longer ask Reins, or ask it about less than the mode of the session says. */
const unheldArguments: ReadonlySet<string> = new Set([
  "--bare",
  "--dangerously-skip-permissions",
  "--allow-dangerously-skip-permissions",
  "--permission-mode",
  "--permission-prompt-tool",
  "--permission-prompts",
]);

/** Which conversation: a new one under an id we chose, an earlier one, or a copy of it under an id we chose. */
export interface Conversation {
  readonly id: string;
  readonly resume?: string | undefined;
}

export interface LaunchFiles {
  readonly systemPrompt?: string | undefined;
  readonly mcpConfig?: string | undefined;
  /** The caller's own, with ours over them. */
  readonly settings?: string | undefined;
}

/**
 * Flags that take several values come first, each followed by another flag, so that they swallow nothing; the prompt is never
 * here, and neither are system prompts and MCP servers (others can read a command line).
 */
export function argumentsOf(options: OpenOptions, conversation: Conversation, files: LaunchFiles): string[] {
  const { allowed, disallowed } = commonRules(options.tools);
  const args: string[] = [];
  const add = (flag: string, ...values: (string | number | undefined)[]) => {
    const given = values.filter((value) => value !== undefined).map(String);
    const wrong = given.find((value) => value === "" || value.startsWith("-"));
    if (wrong !== undefined)
      throw new ReinsError("invalid_input", `"${wrong}" is no value for Claude Code's ${flag}.`, { agent: "claude" });
    if (given.length > 0) args.push(flag, ...given);
  };
  add("--allowedTools", ...allowed);
  add("--disallowedTools", ...disallowed);
  add("--add-dir", ...(options.directories ?? []));
  add("--mcp-config", files.mcpConfig);
  args.push(
    "-p",
    "--input-format",
    "stream-json",
    "--output-format",
    "stream-json",
    "--verbose",
    "--include-partial-messages",
    "--forward-subagent-text",
  );
  add("--permission-prompt-tool", "stdio");
  add("--permission-mode", nativeModes[options.mode]);
  add("--resume", conversation.resume);
  if (conversation.resume !== undefined && options.fork === true) args.push("--fork-session");
  if (conversation.resume === undefined || options.fork === true) add("--session-id", conversation.id);
  add("--model", options.model);
  add("--fallback-model", options.fallbackModel);
  add(
    options.systemPrompt?.how === "replace" ? "--system-prompt-file" : "--append-system-prompt-file",
    files.systemPrompt,
  );
  // A conversation remembers its first system prompt, and goes on with that whatever a later start says.
  if (files.systemPrompt !== undefined && conversation.resume !== undefined) add("--system-prompt-snapshot", "off");
  add("--max-turns", options.maxTurns);
  add("--max-budget-usd", options.maxBudgetUsd);
  const further = options.extraArgs ?? [];
  const loose = further.find((argument) => unheldArguments.has(argument.split("=", 1)[0]!));
  if (loose !== undefined) throw unheld(`the argument ${loose}`);
  add("--settings", files.settings ?? heldSettings());
  return [...args, ...further];
}

const declaredNames = [
  "CLAUDE_CONFIG_DIR",
  "IS_SANDBOX",
  "API_TIMEOUT_MS",
  "MAX_THINKING_TOKENS",
  "MAX_MCP_OUTPUT_TOKENS",
  "ENABLE_TOOL_SEARCH",
  "USE_BUILTIN_RIPGREP",
  "BASH_DEFAULT_TIMEOUT_MS",
  "BASH_MAX_TIMEOUT_MS",
  "BASH_MAX_OUTPUT_LENGTH",
  "CLOUD_ML_REGION",
  "GCLOUD_PROJECT",
  "SSH_AUTH_SOCK",
];
/** Its own, and what it documents for Bedrock, Vertex and Foundry. */
const declaredPrefixes = [
  "ANTHROPIC_",
  "CLAUDE_CODE_",
  "DISABLE_",
  "MCP_",
  "AWS_",
  "GOOGLE_",
  "CLOUDSDK_",
  "VERTEX_",
  "AZURE_",
];

/** What a Claude Code gives to its tools. Where Reins is such a tool, they would make the new session a part of the outer one. */
const ofAnOuterSession = [
  "CLAUDE_CODE_CHILD_SESSION",
  "CLAUDE_CODE_ENTRYPOINT",
  "CLAUDE_CODE_EXECPATH",
  "CLAUDE_CODE_MESSAGING_SOCKET",
  "CLAUDE_CODE_MESSAGING_TOKEN",
  "CLAUDE_CODE_SESSION_ATTENDED",
  "CLAUDE_CODE_SESSION_ID",
  "CLAUDE_CODE_SSE_PORT",
];

/** In its bare mode the program takes the hook that holds every tool, and never calls it. */
function unheld(what: string): ReinsError {
  return new ReinsError("invalid_input", `Reins cannot hold Claude Code's tools with ${what}.`, {
    agent: "claude",
    help: "Leave it out.",
  });
}

/** Its own ten tries can take minutes; whether to wait, try again or move on is for the route to decide. */
const maxRetries = "2";

export function environmentOf(
  parentEnv: Readonly<Record<string, string | undefined>>,
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const env = childEnvironment(parentEnv, { names: declaredNames, prefixes: declaredPrefixes });
  for (const name of ofAnOuterSession) delete env[name];
  delete env[bareVariable];
  if (bareVariable in extra) throw unheld(`the variable ${bareVariable}`);
  env["CLAUDE_CODE_MAX_RETRIES"] ??= maxRetries;
  return { ...env, ...extra };
}

/** The file behind `--mcp-config`. */
export function mcpConfigOf(servers: Readonly<Record<string, McpServer>>): string {
  return JSON.stringify({ mcpServers: servers });
}
