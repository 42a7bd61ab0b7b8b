/** pi's program: its environment, its version, and the services it can use, without a request to any of them. */
import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { childEnvironment } from "../../process/index.ts";
import type { AgentContext, ModelInfo, Readiness } from "../contract.ts";
import { probeProgram, type Program, type RunProgram, type SignIn } from "../shared/program/program.ts";
import { servicesInFile } from "../shared/program/signed-in-services.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export const program: Program = {
  id: "pi",
  name: "pi",
  command: "pi",
  package: "@earendil-works/pi-coding-agent",
  installHelp: "Install it with `npm install -g @earendil-works/pi-coding-agent`.",
  updateHelp: "Update it with `pi update` or `npm install -g @earendil-works/pi-coding-agent`.",
  // The first version with `clear_queue`, which withdraws messages that have not begun.
  minimalVersion: "0.84.4",
};

/** Variables that may hold a key of one of its services. */
export const keyVariables: readonly string[] = `
  ANTHROPIC_API_KEY ANTHROPIC_OAUTH_TOKEN ANTHROPIC_AUTH_TOKEN OPENAI_API_KEY GEMINI_API_KEY
  COPILOT_GITHUB_TOKEN OPENROUTER_API_KEY MISTRAL_API_KEY GROQ_API_KEY CEREBRAS_API_KEY XAI_API_KEY
  DEEPSEEK_API_KEY ZAI_API_KEY ZAI_CODING_CN_API_KEY AI_GATEWAY_API_KEY OPENCODE_API_KEY
  RADIUS_API_KEY HF_TOKEN FIREWORKS_API_KEY TOGETHER_API_KEY BASETEN_API_KEY KIMI_API_KEY
  META_API_KEY MINIMAX_API_KEY MINIMAX_CN_API_KEY MOONSHOT_API_KEY NVIDIA_API_KEY ANT_LING_API_KEY
  XIAOMI_API_KEY QWEN_TOKEN_PLAN_API_KEY QWEN_TOKEN_PLAN_CN_API_KEY XIAOMI_TOKEN_PLAN_CN_API_KEY
  XIAOMI_TOKEN_PLAN_AMS_API_KEY XIAOMI_TOKEN_PLAN_SGP_API_KEY AZURE_OPENAI_API_KEY CLOUDFLARE_API_KEY
  GOOGLE_CLOUD_API_KEY AWS_BEARER_TOKEN_BEDROCK
`
  .trim()
  .split(/\s+/);
export const cloudPrefixes: readonly string[] = ["AWS_", "AZURE_OPENAI_", "CLOUDFLARE_", "GOOGLE_CLOUD_"];
const declaredPrefixes = ["PI_", ...cloudPrefixes];
const declaredNames = ["GOOGLE_APPLICATION_CREDENTIALS", "GCLOUD_PROJECT", "SSH_AUTH_SOCK"];

/** Variables that pi sets for its tools. If Reins runs as such a tool, they belong to the outer session. */
const ofAnOuterSession = [
  "PI_SESSION_ID",
  "PI_SESSION_FILE",
  "PI_PROVIDER",
  "PI_MODEL",
  "PI_REASONING_LEVEL",
  "PI_CODING_AGENT",
];

export function environmentOf(
  parentEnv: Environment,
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const env = childEnvironment(parentEnv, { names: [...keyVariables, ...declaredNames], prefixes: declaredPrefixes });
  for (const name of ofAnOuterSession) delete env[name];
  env["PI_SKIP_VERSION_CHECK"] ??= "1";
  return { ...env, ...extra };
}

export function piFolder(env: Environment, home: string): string {
  return env["PI_CODING_AGENT_DIR"] || join(home, ".pi", "agent");
}

export function probe(context: AgentContext): Promise<Readiness> {
  // Otherwise pi first looks for newer lists of models.
  const env = { ...environmentOf(context.env), PI_OFFLINE: "1" };
  return probeProgram(program, context, { env, signIn: (run) => signInOf(env, run) });
}

const nobody: SignIn = {
  signedIn: "no",
  help: "Start `pi` and type /login, or set the key of a model's service, such as ANTHROPIC_API_KEY.",
};

/** Reads the sign-in file and the names of variables; asks the program when they are not enough. */
export async function signInOf(env: Environment, run: RunProgram): Promise<SignIn> {
  const folder = piFolder(env, env["HOME"] || homedir());
  const kept = await servicesInFile(join(folder, "auth.json"));
  // A cloud service needs more than its key.
  const variables = keyVariables.filter((name) => env[name] && !isOfCloud(name));
  const found = [...(kept ?? []), ...variables.map((name) => `API key (${name})`)];
  if (found.length > 0) return { signedIn: "yes", signedInHow: found.join(", ") };
  const nothingElse = kept !== undefined && !env["PI_CODING_AGENT_DIR"] && !Object.keys(env).some(isOfCloud);
  if (nothingElse && (await isUntouched(folder))) return nobody;
  return signInFrom((await run("--list-models")).stdout);
}

const isOfCloud = (name: string): boolean => cloudPrefixes.some((prefix) => name.startsWith(prefix));

/** False when the folder holds the user's own services, or extensions that may add some. */
async function isUntouched(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).every((name) => name === "auth.json");
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}

export function signInFrom(stdout: string): SignIn {
  if (stdout.startsWith("No models available")) return nobody;
  const services = [...new Set(modelsIn(stdout).map(({ provider }) => provider))];
  return services.length === 0 ? { signedIn: "unknown" } : { signedIn: "yes", signedInHow: services.join(", ") };
}

/** Parses the table of `pi --list-models`: models whose services have a key or a sign-in. */
export function modelsIn(stdout: string): ModelInfo[] {
  const [head = "", ...rows] = stdout.trimEnd().split("\n");
  const columns = head.trim().split(/\s{2,}/);
  if (columns[0] !== "provider" || columns[1] !== "model") return [];
  return rows.flatMap((row) => {
    const cells = row.trim().split(/\s{2,}/);
    const of = (name: string) => cells[columns.indexOf(name)];
    const [provider, id] = cells;
    if (provider === undefined || id === undefined || cells.length !== columns.length) return [];
    const contextSize = tokens(of("context"));
    return [{ id: `${provider}/${id}`, label: id, provider, thinking: of("thinking") === "yes", contextSize }];
  });
}

/** Reads 200K, 1.5M. */
function tokens(shown: string | undefined): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)([KM]?)$/.exec(shown ?? "") ?? [];
  if (amount === undefined) return undefined;
  return Math.round(Number(amount) * (unit === "M" ? 1_000_000 : unit === "K" ? 1_000 : 1));
}
