/** Options of a session as pi's command line and environment. */
import { ReinsError } from "../../events/errors.ts";
import { childEnvironment } from "../../process/index.ts";
import type { OpenOptions } from "../contract.ts";
import { neverOffered } from "./rules.ts";

/** Which conversation: a new one, an earlier one that goes on, or a copy of one. */
export interface Conversation {
  readonly file?: string | undefined;
  readonly copy?: boolean | undefined;
}

export interface LaunchFiles {
  /** Our extension. */
  readonly extension: string;
  readonly systemPrompt?: string | undefined;
}

/** Reins itself decides about these, or they would end the conversation between the two. A key would be on the command line. */
const refused: ReadonlySet<string> = new Set([
  ...["--mode", "--print", "-p", "--help", "-h", "--version", "-v", "--list-models", "--export", "--"],
  ...["--session", "--session-id", "--fork", "--continue", "-c", "--resume", "-r", "--no-session", "--api-key"],
]);

/** The prompt is never here, and neither are system prompts (others can read a command line). */
export function argumentsOf(options: OpenOptions, conversation: Conversation, files: LaunchFiles): string[] {
  const args = ["--mode", "rpc", "--extension", files.extension];
  const add = (flag: string, value: string | undefined) => {
    if (value === undefined) return;
    if (value === "" || value.startsWith("-")) throw invalid(`"${value}" is no value for pi's ${flag}.`);
    args.push(flag, value);
  };
  add(conversation.copy === true ? "--fork" : "--session", conversation.file);
  add("--model", options.model);
  add(options.systemPrompt?.how === "replace" ? "--system-prompt" : "--append-system-prompt", files.systemPrompt);
  const excluded = neverOffered(options.tools);
  if (excluded.length > 0) add("--exclude-tools", excluded.join(","));
  const further = options.extraArgs ?? [];
  const wrong = further.find((argument) => refused.has(argument.split("=", 1)[0]!));
  if (wrong !== undefined) throw invalid(`The argument ${wrong} of pi is not for Reins.`, "Leave it out.");
  return [...args, ...further];
}

/** Variables that may hold a key of one of its services. */
export const keyVariables: readonly string[] = [
  ...["ANTHROPIC_API_KEY", "ANTHROPIC_OAUTH_TOKEN", "ANTHROPIC_AUTH_TOKEN", "OPENAI_API_KEY", "GEMINI_API_KEY"],
  ...[
    "COPILOT_GITHUB_TOKEN",
    "OPENROUTER_API_KEY",
    "MISTRAL_API_KEY",
    "GROQ_API_KEY",
    "CEREBRAS_API_KEY",
    "XAI_API_KEY",
  ],
  ...[
    "DEEPSEEK_API_KEY",
    "ZAI_API_KEY",
    "ZAI_CODING_CN_API_KEY",
    "AI_GATEWAY_API_KEY",
    "OPENCODE_API_KEY",
    "RADIUS_API_KEY",
  ],
  ...["HF_TOKEN", "FIREWORKS_API_KEY", "TOGETHER_API_KEY", "BASETEN_API_KEY", "KIMI_API_KEY", "META_API_KEY"],
  ...[
    "MINIMAX_API_KEY",
    "MINIMAX_CN_API_KEY",
    "MOONSHOT_API_KEY",
    "NVIDIA_API_KEY",
    "ANT_LING_API_KEY",
    "XIAOMI_API_KEY",
  ],
  ...["QWEN_TOKEN_PLAN_API_KEY", "QWEN_TOKEN_PLAN_CN_API_KEY", "XIAOMI_TOKEN_PLAN_CN_API_KEY"],
  ...["XIAOMI_TOKEN_PLAN_AMS_API_KEY", "XIAOMI_TOKEN_PLAN_SGP_API_KEY", "AZURE_OPENAI_API_KEY", "CLOUDFLARE_API_KEY"],
  ...["GOOGLE_CLOUD_API_KEY", "AWS_BEARER_TOKEN_BEDROCK"],
];

/** What it documents for services in a cloud. */
export const cloudPrefixes: readonly string[] = ["AWS_", "AZURE_OPENAI_", "CLOUDFLARE_", "GOOGLE_CLOUD_"];
const declaredPrefixes = ["PI_", ...cloudPrefixes];
const declaredNames = ["GOOGLE_APPLICATION_CREDENTIALS", "GCLOUD_PROJECT", "SSH_AUTH_SOCK"];

/** What a pi gives to its tools. Where Reins is such a tool, they would tell of the outer session. */
const ofAnOuterSession = [
  "PI_SESSION_ID",
  "PI_SESSION_FILE",
  "PI_PROVIDER",
  "PI_MODEL",
  "PI_REASONING_LEVEL",
  "PI_CODING_AGENT",
];

export function environmentOf(
  parentEnv: Readonly<Record<string, string | undefined>>,
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const env = childEnvironment(parentEnv, { names: [...keyVariables, ...declaredNames], prefixes: declaredPrefixes });
  for (const name of ofAnOuterSession) delete env[name];
  env["PI_SKIP_VERSION_CHECK"] ??= "1";
  return { ...env, ...extra };
}

function invalid(message: string, help?: string): ReinsError {
  return new ReinsError("invalid_input", message, { agent: "pi", help });
}
