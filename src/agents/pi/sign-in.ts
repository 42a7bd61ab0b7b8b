/** Which services pi can use. Its own file of sign-ins and the names of variables tell; where they do not, its program is asked. */
import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { RunProgram, SignIn } from "../shared/program.ts";
import { servicesInFile } from "../shared/services-in.ts";
import { cloudPrefixes, keyVariables } from "./launch.ts";
import { modelsIn } from "./list-models.ts";
import { piFolder } from "./state.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const nobody: SignIn = {
  signedIn: "no",
  help: "Start `pi` and type /login, or set the key of a model's service, such as ANTHROPIC_API_KEY.",
};

export async function signInOf(env: Environment, run: RunProgram): Promise<SignIn> {
  const folder = piFolder(env, env["HOME"] || homedir());
  const kept = await servicesInFile(join(folder, "auth.json"));
  // What is in a cloud needs more than its key.
  const variables = keyVariables.filter((name) => env[name] && !isOfCloud(name));
  const found = [...(kept ?? []), ...variables.map((name) => `API key (${name})`)];
  if (found.length > 0) return { signedIn: "yes", signedInHow: found.join(", ") };
  const nothingElse = kept !== undefined && !env["PI_CODING_AGENT_DIR"] && !Object.keys(env).some(isOfCloud);
  if (nothingElse && (await isUntouched(folder))) return nobody;
  return signInFrom((await run("--list-models")).stdout);
}

const isOfCloud = (name: string): boolean => cloudPrefixes.some((prefix) => name.startsWith(prefix));

/** Services of a person's own, and extensions that bring some, stand in its folder. */
async function isUntouched(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).every((name) => name === "auth.json");
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}

/** Every service has a sign-in of its own; one is enough. */
export function signInFrom(stdout: string): SignIn {
  if (stdout.startsWith("No models available")) return nobody;
  const services = [...new Set(modelsIn(stdout).map(({ provider }) => provider))];
  return services.length === 0 ? { signedIn: "unknown" } : { signedIn: "yes", signedInHow: services.join(", ") };
}
