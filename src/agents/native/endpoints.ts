/** The model services: their variables, their dialects, and which of them a model's name selects. */
import { listedModel } from "../shared/model-list.ts";
import { ReinsError } from "../../events/errors.ts";

export type EndpointName = "compatible" | "anthropic" | "openai" | "google";
export type Dialect = "anthropic" | "google" | "compatible";
export type Environment = Readonly<Record<string, string | undefined>>;

interface EndpointKind {
  readonly name: EndpointName;
  readonly label: string;
  readonly dialect: Dialect;
  readonly keys: readonly string[];
  readonly urls: readonly string[];
  readonly url?: string;
  /** Version suffix of the address, which users may write or leave out. */
  readonly version?: string;
  readonly model?: string | undefined;
  /** Matches its model names without the service prefix. */
  readonly plain?: RegExp;
}

/** In order of preference when no model is named: variables of this agent alone come first. */
const endpointKinds: readonly EndpointKind[] = [
  {
    name: "compatible",
    label: "The OpenAI-compatible service",
    dialect: "compatible",
    keys: ["REINS_NATIVE_KEY"],
    urls: ["REINS_NATIVE_BASE_URL"],
  },
  {
    name: "anthropic",
    label: "Anthropic",
    dialect: "anthropic",
    keys: ["ANTHROPIC_API_KEY"],
    urls: ["ANTHROPIC_BASE_URL"],
    url: "https://api.anthropic.com",
    version: "/v1",
    model: "claude-sonnet-5-5",
    plain: /^claude-/,
  },
  {
    name: "openai",
    label: "OpenAI",
    dialect: "compatible",
    keys: ["OPENAI_API_KEY"],
    urls: ["OPENAI_BASE_URL"],
    url: "https://api.openai.com/v1",
    model: "gpt-5.5",
    plain: /^(gpt-|o\d)/,
  },
  {
    name: "google",
    label: "Google",
    dialect: "google",
    keys: ["GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "GOOGLE_API_KEY"],
    urls: ["GOOGLE_GEMINI_BASE_URL"],
    url: "https://generativelanguage.googleapis.com",
    version: "/v1beta",
    model: "gemini-3.5-flash",
    plain: /^gemini-/,
  },
];

export const keyVariables: readonly string[] = endpointKinds.flatMap(({ keys }) => keys);

export interface Endpoint extends Pick<EndpointKind, "name" | "label" | "dialect" | "model"> {
  readonly baseUrl: string;
  readonly key: string | undefined;
  /** The variable that configured it. */
  readonly variable: string;
}

export interface ChosenModel {
  readonly endpoint: Endpoint;
  /** As the service spells it. */
  readonly id: string;
  /** With the service: `anthropic/claude-...`. */
  readonly name: string;
}

export function endpointsOf(env: Environment): Endpoint[] {
  return endpointKinds.flatMap((kind) => endpointOf(kind, env) ?? []);
}

/** An OpenAI-compatible service may have a model of any name; only the service knows. */
export function takesAnyModel(env: Environment): boolean {
  return endpointKinds.some((kind) => kind.dialect === "compatible" && variablesOf(kind, env).variable !== undefined);
}

function variablesOf(kind: EndpointKind, env: Environment) {
  const keyVariable = kind.keys.find((name) => set(env, name) !== undefined);
  const urlVariable = kind.urls.find((name) => set(env, name) !== undefined);
  // An OpenAI-compatible service may need no key, and has no usual address.
  return { keyVariable, urlVariable, variable: kind.url === undefined ? urlVariable : keyVariable };
}

function endpointOf(kind: EndpointKind, env: Environment): Endpoint | undefined {
  const { keyVariable, urlVariable, variable } = variablesOf(kind, env);
  if (variable === undefined) return undefined;
  const { name, label, dialect, model } = kind;
  const given = urlVariable === undefined ? kind.url! : set(env, urlVariable)!;
  const baseUrl = withVersion(checkedUrl(given, urlVariable), kind.version);
  return { name, label, dialect, model, baseUrl, key: keyVariable && set(env, keyVariable), variable };
}

function set(env: Environment, name: string): string | undefined {
  return env[name]?.trim() || undefined;
}

function checkedUrl(url: string, variable: string | undefined): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new ReinsError("invalid_input", `${variable} is not a web address.`, {
      agent: "native",
      help: `Set ${variable} to an address that begins with https:// or http://.`,
    });
  }
  return url.replace(/\/+$/, "");
}

function withVersion(url: string, version: string | undefined): string {
  return version === undefined || /\/v\d\w*$/.test(url) ? url : url + version;
}

/** The model of this name, or the default. Throws when no service is configured for it. */
export function chooseModel(name: string | undefined, env: Environment): ChosenModel {
  const endpoints = endpointsOf(env);
  const wanted = name ?? set(env, "REINS_NATIVE_MODEL");
  return wanted === undefined ? defaultModel(endpoints) : namedModel(wanted, endpoints);
}

function defaultModel(endpoints: readonly Endpoint[]): ChosenModel {
  const endpoint = endpoints.find(({ model }) => model !== undefined);
  if (endpoint?.model !== undefined) return chosen(endpoint, endpoint.model);
  if (endpoints.length === 0) throw noKey(setUpHelp);
  throw new ReinsError("invalid_input", "No model of the OpenAI-compatible service is set.", {
    agent: "native",
    help: "Set REINS_NATIVE_MODEL, or name a model.",
  });
}

function namedModel(name: string, endpoints: readonly Endpoint[]): ChosenModel {
  const slash = name.indexOf("/");
  const before = slash === -1 ? undefined : name.slice(0, slash);
  const byName = endpointKinds.find((kind) => kind.name === before);
  if (byName !== undefined) return chosen(setUp(byName, endpoints), name.slice(slash + 1));
  const byPlainName = endpointKinds.find(({ plain }) => plain?.test(name) === true);
  const own = endpoints.find((endpoint) => endpoint.name === byPlainName?.name);
  // A name that no service claims goes to the agent's own service, or to an OpenAI-compatible gateway.
  const any = own ?? endpoints.find(({ dialect }) => dialect === "compatible");
  if (any !== undefined) return chosen(any, name);
  if (byPlainName !== undefined) throw noKey(`Set ${byPlainName.keys[0]}.`, byPlainName);
  throw new ReinsError("model_unknown", `No configured service is known to have the model ${name}.`, {
    agent: "native",
    help: `Add the service, such as anthropic/${name}, or set REINS_NATIVE_BASE_URL.`,
  });
}

function setUp(kind: EndpointKind, endpoints: readonly Endpoint[]): Endpoint {
  const found = endpoints.find(({ name }) => name === kind.name);
  if (found === undefined) throw noKey(`Set ${kind.url === undefined ? kind.urls[0] : kind.keys[0]}.`, kind);
  return found;
}

function chosen(endpoint: Endpoint, id: string): ChosenModel {
  return { endpoint, id, name: `${endpoint.name}/${id}` };
}

export const setUpHelp =
  "Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or REINS_NATIVE_BASE_URL for an OpenAI-compatible service.";

function noKey(help: string, kind?: EndpointKind): ReinsError {
  const what = kind === undefined ? "No model service is configured." : `${kind.label} is not configured.`;
  return new ReinsError("not_authenticated", what, { agent: "native", help });
}

/** Context sizes of models that are newer than the list, by the beginning of the name. */
const sizes: readonly (readonly [RegExp, number])[] = [
  [/^claude-/, 200_000],
  [/^gemini-/, 1_048_576],
  [/^(gpt-[5-9]|o\d)/, 272_000],
];

export function contextSize({ id }: Pick<ChosenModel, "id">, env: Environment): number | undefined {
  const given = Number(env["REINS_NATIVE_CONTEXT"]);
  if (Number.isInteger(given) && given > 0) return given;
  const plain = id.slice(id.lastIndexOf("/") + 1);
  return listedModel(plain)?.contextSize ?? sizes.find(([beginning]) => beginning.test(plain))?.[1];
}
