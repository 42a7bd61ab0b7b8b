/** Where the service is, and the key to it. Both come from the environment and go nowhere but there. */
import { ReinsError } from "../../events/errors.ts";
import { isSafeForKeys } from "../shared/safe-address.ts";
import { variableOf } from "../variable.ts";
import { who } from "./who.ts";

export const keyVariable = "CURSOR_API_KEY";
export const urlVariable: string = variableOf(who.id, "URL");
const schemeVariable = variableOf(who.id, "AUTH");
const versionVariable = variableOf(who.id, "API");
const pollVariable = variableOf(who.id, "POLL_MS");
export const secretVariable: string = variableOf(who.id, "WEBHOOK_SECRET");

export const keyHelp = `Make a key at cursor.com/dashboard/api and set ${keyVariable} to it.`;

export interface Settings {
  /** Its origin. */
  readonly url: string;
  /** The header with the key. */
  readonly authorization: string;
  /** Only this version of the API; without it the newer one, and the older where that is not there. */
  readonly only: "v0" | "v1" | undefined;
  /** The first wait between two looks at a run that tells nothing by itself. */
  readonly pollMs: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

export const keyIn = (env: Environment): string | undefined => env[keyVariable]?.trim() || undefined;

/** Throws `not_authenticated` without a key, and `invalid_input` for what makes no sense. */
export function settingsOf(env: Environment): Settings {
  const key = keyIn(env);
  if (key === undefined)
    throw new ReinsError("not_authenticated", `No key for ${who.name} is set.`, { agent: who.id, help: keyHelp });
  if (/[^\x21-\x7e]/.test(key)) throw invalid(`${keyVariable} has characters that no key has.`, keyHelp);
  const scheme = oneOf(env, schemeVariable, ["bearer", "basic"]) ?? "bearer";
  const pollMs = Number(env[pollVariable] || 2_000);
  if (!Number.isFinite(pollMs) || pollMs < 1) throw invalid(`${pollVariable} is no number of milliseconds.`);
  return {
    url: urlOf(env),
    authorization: scheme === "bearer" ? `Bearer ${key}` : `Basic ${Buffer.from(`${key}:`).toString("base64")}`,
    only: oneOf(env, versionVariable, ["v0", "v1"]),
    pollMs,
  };
}

function urlOf(env: Environment): string {
  const given = env[urlVariable]?.trim() || "https://api.cursor.com";
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !isSafeForKeys(url) || url.username !== "" || url.password !== "" || url.pathname !== "/")
    throw invalid(`${urlVariable} must be an https address without a path or a password in it.`);
  return url.origin;
}

function oneOf<const Value extends string>(env: Environment, name: string, values: readonly Value[]) {
  const given = env[name]?.trim().toLowerCase() || undefined;
  const found = values.find((value) => value === given);
  if (given !== undefined && found === undefined) throw invalid(`${name} must be ${values.join(" or ")}.`);
  return found;
}

const invalid = (message: string, help?: string): ReinsError =>
  new ReinsError("invalid_input", message, { agent: who.id, help });
