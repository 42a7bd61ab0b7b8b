import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { TomlTable } from "smol-toml";
import { childEnvironment } from "../../process/index.ts";
import { parseJson, record, text } from "../../protocols/json.ts";
import type { AgentContext, Readiness } from "../contract.ts";
import { probeProgram, type Program, type SignIn } from "../shared/program/program.ts";
import { isAtLeast } from "../shared/program/version.ts";
import { conversationState } from "../../protocols/conversation-state.ts";
import { words } from "../shared/words.ts";

export const program: Program = {
  id: "codex",
  name: "Codex",
  command: "codex",
  package: "@openai/codex",
  installHelp: "Install it with `npm install -g @openai/codex`.",
  updateHelp: "Update it with `codex update` or `npm install -g @openai/codex`.",
  minimalVersion: "0.135.0",
};

export const signInHelp = "Run `codex login`, or set OPENAI_API_KEY.";

export const { encode: encodeState, decode: decodeState } = conversationState(program);

type Environment = Readonly<Record<string, string | undefined>>;

/** Codex sets these for its commands. If Reins runs as such a command, they would make the new session part of the outer one. */
const ofAnOuterSession = words(
  "CODEX_CI CODEX_INTERNAL_ORIGINATOR_OVERRIDE CODEX_MANAGED_BY_NPM CODEX_MANAGED_PACKAGE_ROOT CODEX_THREAD_ID",
);

export async function environmentOf(
  parentEnv: Environment,
  extra: Readonly<Record<string, string>> = {},
): Promise<Record<string, string>> {
  const names = ["SSH_AUTH_SOCK", ...keyVariablesIn(await readConfig({ ...parentEnv, ...extra }))];
  const env = childEnvironment(parentEnv, { names, prefixes: ["CODEX_", "OPENAI_"] });
  for (const name of ofAnOuterSession) delete env[name];
  return { ...env, ...extra };
}

export function codexHome(env: Environment): string {
  return env["CODEX_HOME"] || join(env["HOME"] || homedir(), ".codex");
}

/** Empty when the file does not exist or is not TOML, which Codex reports itself. */
export async function readConfig(env: Environment): Promise<TomlTable> {
  const toml = await readFile(join(codexHome(env), "config.toml"), "utf8").catch(() => undefined);
  return toml === undefined ? {} : parseConfig(toml);
}

export async function parseConfig(toml: string): Promise<TomlTable> {
  const { parse } = await import("smol-toml");
  try {
    return parse(toml.replace(/^\uFEFF/, ""));
  } catch {
    return {};
  }
}

/** Variables that the configuration reads keys from. Reins passes on no others. */
export function keyVariablesIn(config: TomlTable): string[] {
  const named = [
    ...Object.values(record(config["model_providers"])).map((provider) => variableIn(provider, "env_key")),
    ...Object.values(record(config["mcp_servers"])).map((server) => variableIn(server, "bearer_token_env_var")),
  ];
  return [...new Set(named.filter((name) => name !== undefined))];
}

export interface ModelProvider {
  readonly name: string;
  readonly keyVariable: string | undefined;
}

/** The configured model provider, which needs no sign-in; undefined for OpenAI itself. */
export function providerIn(config: TomlTable): ModelProvider | undefined {
  const name = text(config["model_provider"]);
  if (name === undefined || name === "openai") return undefined;
  const providers = record(config["model_providers"]);
  return { name, keyVariable: Object.hasOwn(providers, name) ? variableIn(providers[name], "env_key") : undefined };
}

function variableIn(table: unknown, key: string): string | undefined {
  const name = text(record(table)[key]);
  return name !== undefined && /^[A-Za-z_]\w*$/.test(name) ? name : undefined;
}

/** In order of precedence. */
export const keyVariables = ["CODEX_API_KEY", "OPENAI_API_KEY"] as const;

export const keyVariableIn = (env: Environment): string | undefined => keyVariables.find((name) => env[name]);

export async function probe(context: AgentContext): Promise<Readiness> {
  const provider = providerIn(await readConfig(context.env));
  const found = await probeProgram(program, context, {
    env: await environmentOf(context.env),
    signIn: async (run) => {
      if (provider !== undefined) return atProvider(provider, context.env);
      const { stdout, stderr } = await run("login", "status");
      return signInOf(`${stdout}\n${stderr}`, context.env);
    },
  });
  return { ...found, newerVersion: await newerVersionIn(context.env, found.version) };
}

/** Codex looks for updates itself and saves the result beside its configuration. */
export async function newerVersionIn(env: Environment, version: string | undefined): Promise<string | undefined> {
  const told = await readFile(join(codexHome(env), "version.json"), "utf8").catch(() => "");
  const latest = text(record(parseJson(told))["latest_version"]);
  if (version === undefined || latest === undefined || !/^\d+(?:\.\d+){1,3}[\w.-]{0,40}$/.test(latest))
    return undefined;
  return isAtLeast(version, latest) ? undefined : latest;
}

/** Parses the sentence that Codex prints on stderr. */
export function signInOf(said: string, env: AgentContext["env"]): SignIn {
  if (/not logged in/i.test(said)) {
    const variable = keyVariableIn(env);
    return variable === undefined
      ? { signedIn: "no", help: signInHelp }
      : { signedIn: "yes", signedInHow: `API key (${variable})` };
  }
  if (/logged in using chatgpt/i.test(said)) return { signedIn: "yes", signedInHow: "subscription" };
  if (/api key/i.test(said)) return { signedIn: "yes", signedInHow: "API key" };
  const how = /logged in using (.+)/i.exec(said)?.[1];
  return how === undefined ? { signedIn: "unknown" } : { signedIn: "yes", signedInHow: how.trim() };
}

function atProvider({ name, keyVariable }: ModelProvider, env: AgentContext["env"]): SignIn {
  if (keyVariable === undefined) return { signedIn: "unknown", signedInHow: name };
  return env[keyVariable]
    ? { signedIn: "yes", signedInHow: `API key (${keyVariable})` }
    : { signedIn: "no", help: `Set ${keyVariable}, which the model provider ${name} of its config.toml asks for.` };
}
