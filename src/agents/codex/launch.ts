/** Codex's command line and environment. What a session wants goes over the protocol, so no secret is ever an argument. */
import { ReinsError } from "../../events/errors.ts";
import { childEnvironment } from "../../process/index.ts";
import { keyVariablesIn, readConfig } from "./config.ts";
import { program } from "./program.ts";
import { unheldArgument } from "./settings.ts";

export function serverArguments(extraArgs: readonly string[] = []): string[] {
  return ["app-server", ...allowed(extraArgs)];
}

export function allowed(extraArgs: readonly string[]): readonly string[] {
  const loose = unheldArgument(extraArgs);
  if (loose === undefined) return extraArgs;
  throw new ReinsError("invalid_input", `Reins cannot hold Codex's tools with the argument ${loose}.`, {
    agent: program.id,
    help: "Leave it out, and choose a mode.",
  });
}

const declaredPrefixes = ["CODEX_", "OPENAI_"];
const declaredNames = ["SSH_AUTH_SOCK"];

/** What a Codex gives to its commands. Where Reins is such a command, they would make the new session a part of the outer one. */
const ofAnOuterSession = [
  "CODEX_CI",
  "CODEX_INTERNAL_ORIGINATOR_OVERRIDE",
  "CODEX_MANAGED_BY_NPM",
  "CODEX_MANAGED_PACKAGE_ROOT",
  "CODEX_THREAD_ID",
];

export async function environmentOf(
  parentEnv: Readonly<Record<string, string | undefined>>,
  extra: Readonly<Record<string, string>> = {},
): Promise<Record<string, string>> {
  const names = [...declaredNames, ...keyVariablesIn(await readConfig({ ...parentEnv, ...extra }))];
  const env = childEnvironment(parentEnv, { names, prefixes: declaredPrefixes });
  for (const name of ofAnOuterSession) delete env[name];
  return { ...env, ...extra };
}
