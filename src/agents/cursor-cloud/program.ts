/** The service of Cursor's cloud agents: its address, its key, and the probe. Key and address come only from the environment. */
import { ReinsError, toReinsError, type ErrorCode } from "../../events/errors.ts";
import type { AgentContext, Readiness } from "../contract.ts";
import { isSafeForKeys } from "../shared/program/safe-address.ts";
import { variableOf } from "../variable.ts";

export const who = { id: "cursor-cloud", name: "Cursor Cloud" } as const;

export const keyVariable = "CURSOR_API_KEY";
export const urlVariable: string = variableOf(who.id, "URL");
const schemeVariable = variableOf(who.id, "AUTH");
const versionVariable = variableOf(who.id, "API");
const pollVariable = variableOf(who.id, "POLL_MS");
export const secretVariable: string = variableOf(who.id, "WEBHOOK_SECRET");

export const keyHelp = `Make a key at cursor.com/dashboard/api and set ${keyVariable} to it.`;

export function cloudError(code: ErrorCode, message: string, help?: string, cause?: unknown): ReinsError {
  return new ReinsError(code, message, { agent: who.id, help, cause });
}

export interface Settings {
  readonly url: string;
  readonly authorization: string;
  /** The only version of the API to use. Undefined: the newer one, or the older when the newer does not exist. */
  readonly only: "v0" | "v1" | undefined;
  /** The first wait between two polls of a run without a stream. */
  readonly pollMs: number;
}

type Environment = AgentContext["env"];

export const keyIn = (env: Environment): string | undefined => env[keyVariable]?.trim() || undefined;

/** Throws `not_authenticated` without a key, and `invalid_input` for a wrong value. */
export function settingsOf(env: Environment): Settings {
  const key = keyIn(env);
  if (key === undefined) throw cloudError("not_authenticated", `No key for ${who.name} is set.`, keyHelp);
  if (/[^\x21-\x7e]/.test(key))
    throw cloudError("invalid_input", `${keyVariable} has characters that a key cannot have.`, keyHelp);
  const scheme = oneOf(env, schemeVariable, ["bearer", "basic"]) ?? "bearer";
  const pollMs = Number(env[pollVariable] || 2_000);
  if (!Number.isFinite(pollMs) || pollMs < 1)
    throw cloudError("invalid_input", `${pollVariable} is not a number of milliseconds.`);
  return {
    url: urlOf(env),
    authorization: scheme === "bearer" ? `Bearer ${key}` : `Basic ${Buffer.from(`${key}:`).toString("base64")}`,
    only: oneOf(env, versionVariable, ["v0", "v1"]),
    pollMs,
  };
}

function urlOf(env: Environment): string {
  const url = URL.parse(env[urlVariable]?.trim() || "https://api.cursor.com");
  if (url === null || !isSafeForKeys(url) || url.username !== "" || url.password !== "" || url.pathname !== "/")
    throw cloudError("invalid_input", `${urlVariable} must be an https address without a path or a password in it.`);
  return url.origin;
}

function oneOf<const Value extends string>(env: Environment, name: string, values: readonly Value[]) {
  const given = env[name]?.trim().toLowerCase() || undefined;
  const found = values.find((value) => value === given);
  if (given !== undefined && found === undefined)
    throw cloudError("invalid_input", `${name} must be ${values.join(" or ")}.`);
  return found;
}

/** Only checks that a key is set; `verify` asks the service. */
export async function probe({ env }: Pick<AgentContext, "env">): Promise<Readiness> {
  if (keyIn(env) === undefined) return { ready: false, installed: true, signedIn: "no", help: keyHelp };
  const signedIn = { installed: true, signedIn: "yes", signedInHow: `API key (${keyVariable})` } as const;
  try {
    settingsOf(env);
    return { ...signedIn, ready: true };
  } catch (thrown) {
    return { ...signedIn, ready: false, help: toReinsError(thrown).message };
  }
}
