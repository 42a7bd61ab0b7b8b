import { lstat, readFile, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { ReinsError } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import { childEnvironment } from "../../process/index.ts";
import { isRecord, parseJson, record, type JsonObject } from "../../protocols/json.ts";
import type { McpServer, OpenOptions, ToolFilter } from "../contract.ts";
import { nativeRules, type NativeRules } from "../shared/tool-filter.ts";
import { nativeToolNames } from "./tools.ts";

/** `read` and `full` use the default mode: Reins holds every tool and decides, so no flag is needed that root may not use. */
export const nativeModes = {
  read: "default",
  plan: "plan",
  ask: "default",
  edits: "acceptEdits",
  full: "default",
} as const satisfies Record<Mode, string>;

/** With these arguments the program would ask Reins about fewer tools than the mode requires, or about none. */
const unheldArguments: ReadonlySet<string> = new Set([
  "--bare",
  "--dangerously-skip-permissions",
  "--allow-dangerously-skip-permissions",
  "--permission-mode",
  "--permission-prompt-tool",
  "--permission-prompts",
]);

/** `id`: id of a new conversation, or of the copy of an earlier one. */
export interface Conversation {
  readonly id: string;
  readonly resume?: string | undefined;
}

export interface LaunchFiles {
  readonly systemPrompt?: string | undefined;
  readonly mcpConfig?: string | undefined;
  /** File with the caller's settings, overridden by those of Reins. */
  readonly settings?: string | undefined;
}

/**
 * Flags with several values come first, so that they swallow no other argument. Prompts and MCP servers are passed
 * elsewhere, because other users can read a command line.
 */
export function argumentsOf(options: OpenOptions, conversation: Conversation, files: LaunchFiles): string[] {
  const { allowed, disallowed } = commonRules(options.tools);
  const args: string[] = [];
  const add = (flag: string, ...values: (string | number | undefined)[]) => {
    const given = values.filter((value) => value !== undefined).map(String);
    const wrong = given.find((value) => value === "" || value.startsWith("-"));
    if (wrong !== undefined)
      throw new ReinsError("invalid_input", `"${wrong}" is not a valid value for Claude Code's ${flag}.`, {
        agent: "claude",
      });
    if (given.length > 0) args.push(flag, ...given);
  };
  add("--allowedTools", ...allowed);
  add("--disallowedTools", ...disallowed);
  add("--add-dir", ...(options.directories ?? []));
  add("--mcp-config", files.mcpConfig);
  args.push(...streamJson, "--include-partial-messages", "--forward-subagent-text");
  add("--permission-prompt-tool", "stdio");
  add("--permission-mode", nativeModes[options.mode]);
  add("--resume", conversation.resume);
  if (conversation.resume !== undefined && options.fork === true) args.push("--fork-session");
  if (conversation.resume === undefined || options.fork === true) add("--session-id", conversation.id);
  add("--model", options.model);
  add("--fallback-model", options.fallbackModel);
  const promptFlag = options.systemPrompt?.how === "replace" ? "--system-prompt-file" : "--append-system-prompt-file";
  add(promptFlag, files.systemPrompt);
  // A resumed conversation keeps its first system prompt unless this is off.
  if (files.systemPrompt !== undefined && conversation.resume !== undefined) add("--system-prompt-snapshot", "off");
  add("--max-turns", options.maxTurns);
  add("--max-budget-usd", options.maxBudgetUsd);
  const further = options.extraArgs ?? [];
  const loose = further.find((argument) => unheldArguments.has(argument.split("=", 1)[0]!));
  if (loose !== undefined) throw unheld(`the argument ${loose}`);
  add("--settings", files.settings ?? heldSettings());
  return [...args, ...further];
}

export const streamJson = [
  "-p",
  "--input-format",
  "stream-json",
  "--output-format",
  "stream-json",
  "--verbose",
] as const;

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
/** Prefixes of the program's own variables and of those it documents for Bedrock, Vertex and Foundry. */
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

/** Claude Code sets these for its tools. If Reins runs as such a tool, they would make the new session part of the outer one. */
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

/** In bare mode the program accepts the hook that holds every tool, but never calls it. */
function unheld(what: string): ReinsError {
  return new ReinsError("invalid_input", `Reins cannot control Claude Code's tools with ${what}.`, {
    agent: "claude",
    help: "Leave it out.",
  });
}

/** The program's ten retries can take minutes; the route decides whether to wait. */
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

export function mcpConfigOf(servers: Readonly<Record<string, McpServer>>): string {
  return JSON.stringify({ mcpServers: servers });
}

/** Set by `--bare`. */
export const bareVariable = "CLAUDE_CODE_SIMPLE";

const flag = "--settings";

/**
 * Puts Reins's settings over the caller's `--settings`, because the program uses only the last `--settings`. They also
 * outrank the user's settings file, which may set the variable too. Without `useAutoModeDuringPlan: false` a model of
 * the program would decide in plan mode which commands run, and nobody would be asked.
 */
export function heldSettings(own: JsonObject = {}): string {
  return JSON.stringify({ ...own, env: { ...record(own["env"]), [bareVariable]: "" }, useAutoModeDuringPlan: false });
}

/** Removes the caller's `--settings` from the arguments. Settings may contain keys, so they go into a file. */
export async function takeSettings(
  extraArgs: readonly string[],
  cwd: string,
): Promise<{ readonly rest: readonly string[]; readonly settings?: string }> {
  const rest: string[] = [];
  let given: string | undefined;
  for (let at = 0; at < extraArgs.length; at++) {
    const argument = extraArgs[at]!;
    if (argument === flag) given = extraArgs[++at] ?? "";
    else if (argument.startsWith(`${flag}=`)) given = argument.slice(flag.length + 1);
    else rest.push(argument);
  }
  if (given === undefined) return { rest };
  return { rest, settings: heldSettings(await readSettings(given.trim(), cwd)) };
}

async function readSettings(given: string, cwd: string): Promise<JsonObject> {
  if (given === "") throw invalid(`Claude Code's ${flag} has no value.`);
  if (given.startsWith("{")) return objectIn(given, `The text of Claude Code's ${flag}`);
  const file = resolve(cwd, given);
  const content = await readFile(file, "utf8").catch(() => {
    throw invalid(`The file of Claude Code's ${flag} cannot be read: ${file}.`);
  });
  return objectIn(content.replace(/^\uFEFF/, ""), `The file of Claude Code's ${flag} (${file})`);
}

/** Hides the parser's message, which would show a part of the settings. */
function objectIn(json: string, what: string): JsonObject {
  const settings = parseJson(json);
  if (isRecord(settings)) return settings;
  throw invalid(`${what} is not a JSON object.`);
}

function invalid(message: string): ReinsError {
  return new ReinsError("invalid_input", message, {
    agent: "claude",
    help: "Pass a JSON object, or the path of a file that contains one.",
  });
}

export const rulesOf = (filter: ToolFilter | undefined): NativeRules => nativeRules(filter, nativeToolNames);

/** The rules that the first prompt and later prompts share, which can be put on the command line. */
export function commonRules(tools: OpenOptions["tools"]): NativeRules {
  const rest = rulesOf(tools);
  if (tools?.first === undefined) return rest;
  const first = rulesOf(tools.first);
  return {
    allowed: rest.allowed.filter((rule) => first.allowed.includes(rule)),
    disallowed: rest.disallowed.filter((rule) => first.disallowed.includes(rule)),
  };
}

/** Lists every rule, because the settings replace those of the previous prompt. */
export function settingsOf(rules: NativeRules): object {
  return { settings: { permissions: { allow: rules.allowed, deny: rules.disallowed } } };
}

/** A killed program leaves its socket behind. The path comes from the agent, so only a socket is removed. */
export async function removeSocket(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isSocket() === true) await rm(path, { force: true }).catch(() => {});
}
