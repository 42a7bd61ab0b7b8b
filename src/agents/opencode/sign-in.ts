/** Which services OpenCode can use, from its own file of sign-ins and the names of variables. Asking its program takes seconds. */
import type { SignIn } from "../shared/program.ts";
import { servicesIn, servicesInFile } from "../shared/services-in.ts";
import { keyVariables } from "./launch.ts";
import { authFile } from "./places.ts";
import type { Environment } from "./places.ts";

/** Of these services a key alone leads nowhere. */
const companions: Readonly<Record<string, string>> = {
  AZURE_API_KEY: "AZURE_RESOURCE_NAME",
  CLOUDFLARE_API_KEY: "CLOUDFLARE_ACCOUNT_ID",
};

/** Without any it still has models that need none, and those of services in its settings: then only a session tells. */
export async function signInOf(env: Environment): Promise<SignIn> {
  const found = [...(await keptServices(env)), ...variablesIn(env).map((name) => `API key (${name})`)];
  return found.length === 0 ? { signedIn: "unknown" } : { signedIn: "yes", signedInHow: found.join(", ") };
}

/** The variable goes before the file, where it makes sense. */
async function keptServices(env: Environment): Promise<readonly string[]> {
  return servicesIn(env["OPENCODE_AUTH_CONTENT"] ?? "") ?? (await servicesInFile(authFile(env))) ?? [];
}

function variablesIn(env: Environment): readonly string[] {
  return keyVariables.filter((name) => {
    const companion = companions[name];
    return env[name] && (companion === undefined || env[companion]);
  });
}
