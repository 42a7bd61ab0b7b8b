/** The few lines of a person's `config.toml` that Reins must know: which variables hold keys, and who serves the models. */
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

export function codexHome(env: Environment): string {
  return env["CODEX_HOME"] || join(env["HOME"] || homedir(), ".codex");
}

/** Empty where there is none. */
export function readConfig(env: Environment): Promise<string> {
  return readFile(join(codexHome(env), "config.toml"), "utf8").catch(() => "");
}

/** Variables that it is told to take a key from; Reins hands on no others. */
export function keyVariablesIn(toml: string): string[] {
  const named = toml.matchAll(/^[^#\n]*?\b(?:env_key|bearer_token_env_var)\s*=\s*["']([A-Za-z_]\w*)["']/gm);
  return [...new Set(Array.from(named, ([, name]) => name!))];
}

export interface ModelProvider {
  readonly name: string;
  readonly keyVariable: string | undefined;
}

/** Where OpenAI is, where that is not the usual place. */
export function openaiUrlIn(toml: string): string | undefined {
  return topLevel(toml, "openai_base_url");
}

/** Who serves the models, where that is not OpenAI itself; then nobody has to be signed in. */
export function providerIn(toml: string): ModelProvider | undefined {
  const name = topLevel(toml, "model_provider");
  if (name === undefined || name === "openai") return undefined;
  const section = toml.split(/^\s*\[/m).find((part) => part.startsWith(`model_providers.${name}]`));
  return { name, keyVariable: keyVariablesIn(section ?? "")[0] };
}

/** A text before the first table. */
function topLevel(toml: string, key: string): string | undefined {
  const top = toml.split(/^\s*\[/m, 1)[0]!;
  return new RegExp(`^\\s*${key}\\s*=\\s*["']([^"']+)["']`, "m").exec(top)?.[1];
}
