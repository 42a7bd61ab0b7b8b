import { mkdir, readFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ReinsError } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import { childEnvironment } from "../../process/index.ts";
import { isRecord, list, record, type JsonObject } from "../../protocols/json.ts";
import type { McpServer, OpenOptions } from "../contract.ts";
import { parseJsonc } from "../shared/jsonc.ts";
import { nativeRules } from "../shared/tool-filter.ts";
import { words } from "../shared/words.ts";
import { hookNames } from "./hooks.ts";
import { nativeToolNames } from "./tools.ts";

/**
 * The default mode asks about every change. In `edits` Reins allows ordinary edits itself, because the program's own
 * mode would not check them.
 */
export const nativeModes = {
  read: "default",
  plan: "plan",
  ask: "default",
  edits: "default",
  full: "yolo",
} as const satisfies Record<Mode, string>;

export type Conversation = { readonly id: string } | { readonly resume: string; readonly fork: boolean };

export interface LaunchFiles {
  readonly settings: string;
  readonly systemPrompt?: string | undefined;
  readonly mcpConfig?: string | undefined;
}

/** The longest argument that every system accepts. */
const longestArgument = 120_000;
/**
 * Bare and safe mode run no hooks; the others would ask Reins about less than the mode requires. The parser also
 * accepts `--approvalMode` for `--approval-mode`, and several letters after one dash.
 */
const unheld: ReadonlySet<string> = new Set(["bare", "safemode", "yolo", "approvalmode", "acp", "experimentalacp"]);

function isUnheld(word: string): boolean {
  if (/^-[^-]*y/.test(word)) return true;
  return word.startsWith("--") && unheld.has(word.split("=", 1)[0]!.replaceAll("-", "").toLowerCase());
}

/** Prompts and MCP servers are passed elsewhere, because other users can read a command line. */
export function argumentsOf(options: OpenOptions, conversation: Conversation, files: LaunchFiles): string[] {
  const args = ["--input-format", "stream-json", "--output-format", "stream-json", "--include-partial-messages"];
  const add = (flag: string, value: string | number | undefined) => {
    if (value === undefined) return;
    const word = String(value);
    if (word === "" || word.startsWith("-") || word.length > longestArgument)
      throw invalid(`"${word.slice(0, 50)}" is not a valid value for Qwen Code's ${flag}.`);
    args.push(flag, word);
  };
  add("--approval-mode", nativeModes[options.mode]);
  if ("resume" in conversation) {
    add("--resume", conversation.resume);
    if (conversation.fork) args.push("--fork-session");
  } else add("--session-id", conversation.id);
  add("--model", options.model);
  add("--fallback-model", options.fallbackModel);
  add("--mcp-config", files.mcpConfig);
  add("--max-session-turns", options.maxTurns);
  // There is no option for a file. The word before the text allows it to begin with a dash.
  if (options.systemPrompt?.how === "append") add("--append-system-prompt", `Also:\n${options.systemPrompt.text}`);
  const further = options.extraArgs ?? [];
  const wrong = further.find(isUnheld);
  if (wrong !== undefined) throw invalid(`Reins cannot control Qwen Code's tools with the argument ${wrong}.`);
  return [...args, ...further];
}

const declaredNames = words(
  "SANDBOX DEBUG_MODE SSH_AUTH_SOCK CLOUD_ML_REGION GCLOUD_PROJECT TAVILY_API_KEY CONTEXT7_API_KEY",
);
/** Prefixes of the program's own variables and of those of services whose models it can use. */
const declaredPrefixes = words(
  "QWEN_ OPENAI_ DASHSCOPE_ BAILIAN_ MODELSCOPE_ OPENROUTER_ FIREWORKS_ DEEPSEEK_ ANTHROPIC_ GEMINI_ GOOGLE_ MCP_",
);

/** Qwen Code sets these for its tools, and a launcher for its program. If Reins runs as such a tool, they would mix up the two sessions. */
const ofAnOuterSession = words(`
  QWEN_CODE_AGENT_ID QWEN_CODE_CLI QWEN_CODE_LAUNCHER_PATH QWEN_CODE_LAUNCHER_PID QWEN_CODE_MANAGED_NPM_PIN
  QWEN_CODE_MANAGED_NPM_ROOT QWEN_CODE_MODEL QWEN_CODE_MODEL_IDENTITY QWEN_CODE_PROJECT_DIR QWEN_CODE_PROMPT_ID
  QWEN_CODE_RELAUNCH_ARGS QWEN_CODE_SESSION_ID QWEN_CODE_STARTUP_VERSION
`);

/** Set by `--bare`. */
const bareVariable = "QWEN_CODE_SIMPLE";

/** `files` is missing when no session is opened. */
export function environmentOf(
  parentEnv: Readonly<Record<string, string | undefined>>,
  extra: Readonly<Record<string, string>> = {},
  files?: LaunchFiles,
): Record<string, string> {
  const env = childEnvironment(parentEnv, { names: declaredNames, prefixes: declaredPrefixes });
  for (const name of [...ofAnOuterSession, bareVariable]) delete env[name];
  if (bareVariable in extra) throw invalid(`Reins cannot control Qwen Code's tools with the variable ${bareVariable}.`);
  // A relaunch with more memory costs a second process and a second of time.
  env["QWEN_CODE_NO_RELAUNCH"] ??= "true";
  env["QWEN_CODE_SUPPRESS_YOLO_WARNING"] ??= "1";
  const all: Record<string, string> = { ...env, ...extra };
  if (files === undefined) return all;
  all[defaultsVariable] = files.settings;
  if (files.systemPrompt !== undefined) all["QWEN_SYSTEM_MD"] = files.systemPrompt;
  // The hooks must reach Reins, not a proxy.
  for (const name of ["NO_PROXY", "no_proxy"]) all[name] = [all[name], "127.0.0.1"].filter(Boolean).join(",");
  return all;
}

export function mcpConfigOf(servers: Readonly<Record<string, McpServer>>): string {
  const spelled = Object.entries(servers).map(([name, server]): [string, object] => {
    if ("command" in server) return [name, server];
    const { type, url, headers } = server;
    return [name, type === "http" ? { httpUrl: url, headers } : { url, headers }];
  });
  return JSON.stringify({ mcpServers: Object.fromEntries(spelled) });
}

export function invalid(message: string, help?: string): ReinsError {
  return new ReinsError("invalid_input", message, { agent: "qwen", help });
}

export const defaultsVariable = "QWEN_CODE_SYSTEM_DEFAULTS_PATH";

/**
 * Written as the machine's defaults: the user's settings override them, except that rules and hooks are added.
 * `machine`: the previous defaults.
 */
export function settingsWith(
  machine: JsonObject,
  { hooksUrl, tools, directories = [] }: Pick<OpenOptions, "tools" | "directories"> & { readonly hooksUrl: string },
): JsonObject {
  const { permissions, hooks, model, context } = machine;
  const rules = nativeRules(tools, nativeToolNames);
  // In seconds. The program still gives up after a minute.
  const ours = { hooks: [{ type: "http", url: hooksUrl, timeout: 3_600 }] };
  const hooksAt = (name: string): unknown[] => [...list(record(hooks)[name]), ours];
  return {
    ...machine,
    hooks: { ...record(hooks), ...Object.fromEntries(hookNames.map((name) => [name, hooksAt(name)])) },
    permissions: {
      ...record(permissions),
      allow: [...list(record(permissions)["allow"]), ...rules.allowed],
      deny: [...list(record(permissions)["deny"]), ...rules.disallowed],
    },
    context: {
      ...record(context),
      includeDirectories: [...list(record(context)["includeDirectories"]), ...directories],
    },
    // The program multiplies its own retries with these; the route decides whether to wait.
    model: { ...record(model), generationConfig: { maxRetries: 0, ...record(record(model)["generationConfig"]) } },
  };
}

/** The machine's own defaults, which the variable replaces. */
export async function machineDefaults(env: Readonly<Record<string, string | undefined>>): Promise<JsonObject> {
  const path = env[defaultsVariable] || join(dirname(systemSettings(env)), "system-defaults.json");
  const content = await readFile(path, "utf8").catch(() => undefined);
  if (content === undefined) return {};
  const parsed = await parseJsonc(content).catch(() => undefined);
  if (isRecord(parsed)) return parsed;
  throw invalid(`Qwen Code's settings in ${path} are not JSON.`, "Correct that file, or remove it.");
}

function systemSettings(env: Readonly<Record<string, string | undefined>>): string {
  if (env["QWEN_CODE_SYSTEM_SETTINGS_PATH"]) return env["QWEN_CODE_SYSTEM_SETTINGS_PATH"];
  if (process.platform === "darwin") return "/Library/Application Support/QwenCode/settings.json";
  return process.platform === "win32" ? "C:\\ProgramData\\qwen-code\\settings.json" : "/etc/qwen-code/settings.json";
}

/**
 * A folder whose files may be mentioned: the program's temporary folder. The transcript is
 * `<there>/projects/<project>/chats/<id>.jsonl`.
 */
export async function temporaryBeside(transcript: string): Promise<string> {
  const folder = join(dirname(dirname(dirname(dirname(transcript)))), "tmp");
  try {
    await mkdir(folder);
  } catch (error) {
    // Only a replay of a recording has no such folder.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") return tmpdir();
  }
  return folder;
}

export function usualTemporary(env: Readonly<Record<string, string | undefined>>): string {
  return join(env["QWEN_RUNTIME_DIR"] || homeOf(env), "tmp");
}

/** Contains the settings, and the conversations unless `QWEN_RUNTIME_DIR` is set. */
export function homeOf(env: Readonly<Record<string, string | undefined>>): string {
  return env["QWEN_HOME"] || join(env["HOME"] || homedir(), ".qwen");
}
