/** The packages of this agent. They are optional: when they are missing, only this agent does not work. */
import { createRequire } from "node:module";
import type { AgentContext, Readiness } from "../contract.ts";
import { chooseModel, endpointsOf, setUpHelp, type Dialect } from "./endpoints.ts";
import { ReinsError, toReinsError } from "../../events/errors.ts";

/** Equal to package.json; a test compares them. */
export const versions = {
  ai: "7.0.169",
  "@ai-sdk/anthropic": "4.0.102",
  "@ai-sdk/google": "4.0.117",
  "@ai-sdk/openai-compatible": "3.0.90",
  "@ai-sdk/mcp": "2.0.93",
} as const;

export type PackageName = keyof typeof versions;

const ofDialect: Readonly<Record<Dialect, PackageName>> = {
  anthropic: "@ai-sdk/anthropic",
  google: "@ai-sdk/google",
  compatible: "@ai-sdk/openai-compatible",
};

export function packagesFor(dialect: Dialect): PackageName[] {
  return ["ai", ofDialect[dialect]];
}

export function installedVersion(name: PackageName): string | undefined {
  try {
    const require = createRequire(import.meta.url);
    return (require(`${name}/package.json`) as { version: string }).version;
  } catch {
    return undefined;
  }
}

/** How to install the missing packages; undefined when none is missing. */
export function missingHelp(
  names: readonly PackageName[],
  versionOf: (name: PackageName) => string | undefined = installedVersion,
): string | undefined {
  const missing = names.filter((name) => versionOf(name) === undefined);
  if (missing.length === 0) return undefined;
  const wanted = missing.map((name) => `${name}@${versions[name]}`).join(" ");
  return `Install what it needs with \`npm install ${wanted}\`, where Reins is installed.`;
}

/** Imports packages. Throws `not_installed` when they are missing. */
export async function loaded<Module>(names: readonly PackageName[], load: () => Promise<Module>): Promise<Module> {
  const help = missingHelp(names);
  if (help === undefined) return load();
  throw new ReinsError("not_installed", "The packages of Reins's own agent are not installed.", {
    agent: "native",
    help,
  });
}

export async function probe(
  { env }: Pick<AgentContext, "env">,
  versionOf: (name: PackageName) => string | undefined = installedVersion,
): Promise<Readiness> {
  const version = versionOf("ai");
  const known = { installed: version !== undefined, version };
  try {
    const endpoints = endpointsOf(env);
    if (endpoints.length === 0)
      return { ...known, ready: false, signedIn: "no", help: missingHelp(["ai"], versionOf) ?? setUpHelp };
    const { endpoint, id, name } = chooseModel(undefined, env);
    const signedInHow = endpoints.map(({ label, variable }) => `${label} (${variable})`).join(", ");
    const models = [{ id: name, label: id, provider: endpoint.name, default: true, current: true }];
    const help = missingHelp(packagesFor(endpoint.dialect), versionOf);
    return { ...known, ready: help === undefined, signedIn: "yes", signedInHow, models, help };
  } catch (error) {
    const { message, help } = toReinsError(error);
    return { ...known, ready: false, signedIn: "unknown", help: `${message} ${help ?? ""}`.trim() };
  }
}
