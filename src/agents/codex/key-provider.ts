/**
 * A key in the environment. `codex exec` takes it from there, the app server does not, and a login would write it to a file. So where nobody is
 * signed in, the app server gets a model provider of its own: OpenAI, with the key of that variable.
 */
import { tmpdir } from "node:os";
import type { AgentContext } from "../contract.ts";
import type { Command } from "../shared/program.ts";
import { openaiUrlIn, providerIn, readConfig } from "./config.ts";
import { program } from "./program.ts";

/** The first that is set counts. */
export const keyVariables = ["CODEX_API_KEY", "OPENAI_API_KEY"] as const;

type Environment = Readonly<Record<string, string | undefined>>;

export const keyVariableIn = (env: Environment): string | undefined => keyVariables.find((name) => env[name]);

/** Its name among the model providers; a conversation remembers whose it was. */
export const keyProvider = "reins-key";

/** Its arguments, with the name of the variable; none where it is not wanted. A subscription must not become a bill. */
export async function keyArguments(
  { processes, deadlines }: AgentContext,
  { path, args }: Command,
  env: Readonly<Record<string, string>>,
): Promise<string[]> {
  const variable = keyVariableIn(env);
  const toml = variable === undefined ? "" : await readConfig(env);
  if (variable === undefined || providerIn(toml) !== undefined) return [];
  const spec = { command: path, args: [...args, "login", "status"], cwd: tmpdir(), env, agent: program.id };
  const { stdout, stderr } = await processes.run(spec, deadlines.probe);
  return /not logged in/i.test(stdout + stderr) ? providerArguments(variable, openaiUrlIn(toml)) : [];
}

export function providerArguments(variable: string, url = "https://api.openai.com/v1"): string[] {
  const settings = { name: "OpenAI", base_url: url, env_key: variable, wire_api: "responses" };
  const table = Object.entries(settings).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  return ["-c", `model_provider="${keyProvider}"`, "-c", `model_providers.${keyProvider}={${table.join(",")}}`];
}
