/** OpenCode's program, environment, folders (the same on every system), services and models. */
import { homedir } from "node:os";
import { join } from "node:path";
import { ReinsError } from "../../events/errors.ts";
import { childEnvironment } from "../../process/index.ts";
import { number, record, records, text, type JsonObject } from "../../protocols/json.ts";
import type { AgentContext, ModelInfo, Readiness } from "../contract.ts";
import { probeProgram, type Program, type SignIn } from "../shared/program/program.ts";
import { servicesIn, servicesInFile } from "../shared/program/signed-in-services.ts";
import { words } from "../shared/words.ts";

export const program: Program = {
  id: "opencode",
  name: "OpenCode",
  command: "opencode",
  package: "opencode-ai",
  installHelp: "Install it with `npm install -g opencode-ai`.",
  updateHelp: "Update it with `opencode upgrade` or `npm install -g opencode-ai`.",
  // The oldest version that was tested against a scripted model.
  minimalVersion: "1.18.3",
};

export const conversationId = /^ses_[A-Za-z0-9]{1,64}$/;

/** Variables from which OpenCode reads the key of a service. */
export const keyVariables: readonly string[] = words(`
  ANTHROPIC_API_KEY OPENAI_API_KEY GEMINI_API_KEY GOOGLE_GENERATIVE_AI_API_KEY GOOGLE_API_KEY OPENCODE_API_KEY
  OPENROUTER_API_KEY GITHUB_TOKEN XAI_API_KEY GROQ_API_KEY MISTRAL_API_KEY DEEPSEEK_API_KEY CEREBRAS_API_KEY
  TOGETHER_API_KEY FIREWORKS_API_KEY DEEPINFRA_API_KEY PERPLEXITY_API_KEY COHERE_API_KEY HF_TOKEN
  NVIDIA_API_KEY MOONSHOT_API_KEY ZHIPU_API_KEY MINIMAX_API_KEY DASHSCOPE_API_KEY AI_GATEWAY_API_KEY
  AZURE_API_KEY AWS_BEARER_TOKEN_BEDROCK CLOUDFLARE_API_KEY OLLAMA_API_KEY LMSTUDIO_API_KEY
`);

/** Variables of OpenCode itself, and of cloud services that it documents. */
const declaredPrefixes = ["OPENCODE_", "AWS_", "AZURE_", "GOOGLE_", "CLOUDFLARE_", "VERTEX_"];
const declaredNames = [
  ...words("GCLOUD_PROJECT GITLAB_TOKEN GITLAB_INSTANCE_URL SSH_AUTH_SOCK EDITOR EXA_API_KEY"),
  // Read only by users' settings.
  "ZAI_API_KEY",
];

/** These belong to an outer OpenCode or another server, or would keep tools from being held. */
const dropped = words(`
  OPENCODE_PID OPENCODE_PURE OPENCODE_SERVER_USERNAME OPENCODE_SERVER_PASSWORD OPENCODE_EXPERIMENTAL_CODE_MODE
  OPENCODE_CONFIG_CONTENT
`);

export function environmentOf(
  parentEnv: Environment,
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const env = childEnvironment(parentEnv, { names: [...keyVariables, ...declaredNames], prefixes: declaredPrefixes });
  for (const name of dropped) delete env[name];
  const wrong = dropped.find((name) => name in extra && name !== "OPENCODE_CONFIG_CONTENT");
  if (wrong !== undefined) throw invalid(`Reins does not pass the variable ${wrong} to OpenCode.`, "Leave it out.");
  const { OPENCODE_CONFIG_CONTENT: _, ...rest } = extra;
  // An update in the middle of a session would end it.
  return { ...env, OPENCODE_DISABLE_AUTOUPDATE: "1", ...rest };
}

export function invalid(message: string, help?: string, cause?: unknown): ReinsError {
  return new ReinsError("invalid_input", message, { agent: "opencode", help, cause });
}

type Environment = Readonly<Record<string, string | undefined>>;

export function settingsFolder(env: Environment): string {
  return join(env["XDG_CONFIG_HOME"] || join(homeOf(env), ".config"), "opencode");
}

export function dataFolder(env: Environment): string {
  return join(env["XDG_DATA_HOME"] || join(homeOf(env), ".local", "share"), "opencode");
}

function homeOf(env: Environment): string {
  return env["HOME"] || homedir();
}

export function probe(context: AgentContext): Promise<Readiness> {
  const env = environmentOf(context.env);
  return probeProgram(program, context, { env, signIn: () => signInOf(env) });
}

/** With these services a key is not enough. */
const companions: Readonly<Record<string, string>> = {
  AZURE_API_KEY: "AZURE_RESOURCE_NAME",
  CLOUDFLARE_API_KEY: "CLOUDFLARE_ACCOUNT_ID",
};

/** Without a key there are still free models and services in the settings, so the result is unknown. */
export async function signInOf(env: Environment): Promise<SignIn> {
  const services =
    servicesIn(env["OPENCODE_AUTH_CONTENT"] ?? "") ?? (await servicesInFile(join(dataFolder(env), "auth.json"))) ?? [];
  const variables = keyVariables.filter((name) => env[name] && env[companions[name] ?? name]);
  const found = [...services, ...variables.map((name) => `API key (${name})`)];
  return found.length === 0 ? { signedIn: "unknown" } : { signedIn: "yes", signedInHow: found.join(", ") };
}

export interface OwnModel {
  readonly providerID: string;
  readonly modelID: string;
  /** The reasoning effort, if it was named. */
  readonly variant?: string | undefined;
}

export const nameOf = ({ providerID, modelID }: OwnModel): string => `${providerID}/${modelID}`;

/** The answer to `GET /config/providers`. */
export class Catalog {
  readonly #models = new Map<string, { own: OwnModel; model: JsonObject; provider: JsonObject }>();
  readonly #defaults: JsonObject;

  constructor(answer: unknown) {
    const { providers, default: defaults } = record(answer);
    this.#defaults = record(defaults);
    for (const provider of records(providers)) {
      const providerID = text(provider["id"]);
      if (providerID === undefined) continue;
      for (const [modelID, model] of Object.entries(record(provider["models"])))
        this.#models.set(`${providerID}/${modelID}`, { own: { providerID, modelID }, model: record(model), provider });
    }
  }

  /** Finds `service/model`, or a model that only one service has, either with `:variant`. */
  find(name: string): OwnModel | undefined {
    const whole = this.#models.get(name) ?? this.#only(name);
    if (whole !== undefined) return whole.own;
    const colon = name.lastIndexOf(":");
    const found = colon <= 0 ? undefined : (this.#models.get(name.slice(0, colon)) ?? this.#only(name.slice(0, colon)));
    const variant = name.slice(colon + 1);
    if (found === undefined || !Object.hasOwn(record(found.model["variants"]), variant)) return undefined;
    return { ...found.own, variant };
  }

  #only(modelID: string) {
    const found = [...this.#models.values()].filter(({ own }) => own.modelID === modelID);
    return found.length === 1 ? found[0] : undefined;
  }

  get contextSizes(): Map<string, number> {
    const sizes = new Map<string, number>();
    for (const [name, { model }] of this.#models) {
      const size = number(record(model["limit"])["context"]);
      if (size !== undefined && size > 0) sizes.set(name, size);
    }
    return sizes;
  }

  labelOf(name: string): string | undefined {
    return text(this.#models.get(name)?.model["name"]);
  }

  /** `current` is the model in the settings. */
  list(current: string | undefined): ModelInfo[] {
    return [...this.#models].map(([id, { own, model, provider }]): ModelInfo => {
      const variants = Object.keys(record(model["variants"]));
      const thinks = record(model["capabilities"])["reasoning"] === true;
      return {
        id,
        label: text(model["name"]),
        provider: text(provider["name"]) ?? own.providerID,
        default: this.#defaults[own.providerID] === own.modelID ? true : undefined,
        current: id === current ? true : undefined,
        thinking: thinks ? (variants.length > 0 ? variants : true) : false,
        contextSize: number(record(model["limit"])["context"]),
      };
    });
  }
}
