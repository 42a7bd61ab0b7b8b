/** Options of a session as OpenCode's command line, environment and configuration. No file of a person's is changed. */
import { pathToFileURL } from "node:url";
import { isRecord, list, record } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import { ReinsError } from "../../events/errors.ts";
import { childEnvironment } from "../../process/index.ts";
import type { McpServer, OpenOptions } from "../contract.ts";

export interface LaunchFiles {
  /** Our plugin. */
  readonly plugin: string;
  /** A system prompt instead of its own. */
  readonly systemPrompt?: string | undefined;
}

/** With these it would not load our plugin, or not be reached by us alone. */
const refused: ReadonlySet<string> = new Set([
  "--pure",
  "--port",
  "--hostname",
  "--mdns",
  "--mdns-domain",
  "--cors",
  "--help",
  "-h",
  "--version",
  "-v",
]);

/** Port 0 is 4096 where that is free, else any. */
export function argumentsOf({ extraArgs = [] }: OpenOptions): string[] {
  const wrong = extraArgs.find((argument) => refused.has(argument.split("=", 1)[0]!));
  if (wrong !== undefined) throw invalid(`The argument ${wrong} of OpenCode is not for Reins.`, "Leave it out.");
  return ["serve", "--hostname", "127.0.0.1", "--port", "0", ...extraArgs];
}

/** Variables from which its own list of services takes a key. */
export const keyVariables: readonly string[] = [
  ...["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "GOOGLE_API_KEY"],
  ...["OPENCODE_API_KEY", "OPENROUTER_API_KEY", "GITHUB_TOKEN", "XAI_API_KEY", "GROQ_API_KEY", "MISTRAL_API_KEY"],
  ...["DEEPSEEK_API_KEY", "CEREBRAS_API_KEY", "TOGETHER_API_KEY", "FIREWORKS_API_KEY", "DEEPINFRA_API_KEY"],
  ...["PERPLEXITY_API_KEY", "COHERE_API_KEY", "HF_TOKEN", "NVIDIA_API_KEY", "MOONSHOT_API_KEY", "ZHIPU_API_KEY"],
  ...["MINIMAX_API_KEY", "DASHSCOPE_API_KEY", "AI_GATEWAY_API_KEY", "AZURE_API_KEY", "AWS_BEARER_TOKEN_BEDROCK"],
  ...["CLOUDFLARE_API_KEY", "OLLAMA_API_KEY", "LMSTUDIO_API_KEY"],
];

/** Its own, and what it documents for services in a cloud. */
const declaredPrefixes = ["OPENCODE_", "AWS_", "AZURE_", "GOOGLE_", "CLOUDFLARE_", "VERTEX_"];
const declaredNames = [
  "GCLOUD_PROJECT",
  "GITLAB_TOKEN",
  "GITLAB_INSTANCE_URL",
  "SSH_AUTH_SOCK",
  "EDITOR",
  "EXA_API_KEY",
  // No service of its own reads it; settings may.
  "ZAI_API_KEY",
];

/** Of an outer OpenCode, of another server, or such that tools would no longer be held. */
const dropped = [
  "OPENCODE_PID",
  "OPENCODE_PURE",
  "OPENCODE_SERVER_USERNAME",
  "OPENCODE_SERVER_PASSWORD",
  "OPENCODE_EXPERIMENTAL_CODE_MODE",
  "OPENCODE_CONFIG_CONTENT",
];

/** Only for the server itself: the programs that its tools start do not get them. */
export const hiddenVariables: readonly string[] = [
  "OPENCODE_SERVER_PASSWORD",
  "OPENCODE_CONFIG_CONTENT",
  "npm_config_fetch_retries",
];

export function environmentOf(
  parentEnv: Readonly<Record<string, string | undefined>>,
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const env = childEnvironment(parentEnv, { names: [...keyVariables, ...declaredNames], prefixes: declaredPrefixes });
  for (const name of dropped) delete env[name];
  const wrong = dropped.find((name) => name in extra && name !== "OPENCODE_CONFIG_CONTENT");
  if (wrong !== undefined) throw invalid(`The variable ${wrong} is not for Reins's OpenCode.`, "Leave it out.");
  const { OPENCODE_CONFIG_CONTENT: _, ...rest } = extra;
  // A program that replaces itself in the middle of a session would end it.
  return { ...env, OPENCODE_DISABLE_AUTOUPDATE: "1", ...rest };
}

/** What only a server for a session gets. */
export function serverEnvironment(password: string, config: string): Record<string, string> {
  return {
    OPENCODE_SERVER_PASSWORD: password,
    OPENCODE_CONFIG_CONTENT: config,
    // Its tools for questions and for the end of a plan are there for this client only.
    OPENCODE_CLIENT: "cli",
    OPENCODE_EXPERIMENTAL_PLAN_MODE: "1",
    OPENCODE_EXPERIMENTAL_BACKGROUND_SUBAGENTS: "1",
    // Where there are plugins it looks for their library first; without a network it would try for 70 seconds.
    npm_config_fetch_retries: "0",
  };
}

/** What the person has in the variable stays, and ours comes on top. */
export function configOf(given: string | undefined, files: LaunchFiles): string {
  const own = parsed(given);
  const plugin = [...list(own["plugin"]), pathToFileURL(files.plugin).href];
  if (files.systemPrompt === undefined) return JSON.stringify({ ...own, plugin });
  // It reads the file itself; so nothing in the prompt is taken for one of its own references.
  const prompt = `{file:${files.systemPrompt}}`;
  const agents = record(own["agent"]);
  const replaced = Object.fromEntries(
    ["build", "plan"].map((name) => [name, { ...record(agents[name]), prompt }] as const),
  );
  return JSON.stringify({ ...own, plugin, agent: { ...agents, ...replaced } });
}

function parsed(given: string | undefined): Wire {
  if (given === undefined || given.trim() === "") return {};
  try {
    const config: unknown = JSON.parse(given);
    if (isRecord(config)) return config;
  } catch {
    // Said below.
  }
  throw invalid("OPENCODE_CONFIG_CONTENT is no JSON object.", "Correct it, or put it into a file of OpenCode's.");
}

/** As `POST /mcp` wants it. */
export function mcpConfigOf(server: McpServer): object {
  if ("command" in server) {
    const { command, args = [], env } = server;
    return { type: "local", command: [command, ...args], ...(env === undefined ? {} : { environment: env }) };
  }
  const { url, headers } = server;
  return { type: "remote", url, ...(headers === undefined ? {} : { headers }) };
}

function invalid(message: string, help?: string): ReinsError {
  return new ReinsError("invalid_input", message, { agent: "opencode", help });
}
