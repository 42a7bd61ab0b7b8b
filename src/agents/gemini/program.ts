/** Gemini CLI's program: environment, folder, settings and sign-in. Reins does not read its credentials. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { childEnvironment } from "../../process/launch/environment.ts";
import { decodeState, encodeState } from "../../protocols/acp/index.ts";
import { isRecord, parseJson, record, type JsonObject } from "../../protocols/json.ts";
import type { AgentContext, Readiness } from "../contract.ts";
import { probeProgram, type Program, type SignIn } from "../shared/program/program.ts";

export const program: Program = {
  id: "gemini",
  name: "Gemini CLI",
  command: "gemini",
  package: "@google/gemini-cli",
  installHelp: "Install it with `npm install -g @google/gemini-cli`.",
  updateHelp: "Update it with `npm install -g @google/gemini-cli@latest`.",
  minimalVersion: "0.47.0",
};

export type Environment = Readonly<Record<string, string | undefined>>;

export function geminiFolder(env: Environment): string {
  return join(env["GEMINI_CLI_HOME"] || env["HOME"] || homedir(), ".gemini");
}

/** Undefined without a file; `"unreadable"` when it is not plain JSON, because the program itself also accepts comments. */
export async function settingsIn(file: string): Promise<JsonObject | "unreadable" | undefined> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const settings = parseJson(text);
  return isRecord(settings) ? settings : "unreadable";
}

/** The user's settings; empty when they cannot be read. */
export async function ownSettings(env: Environment): Promise<JsonObject> {
  const settings = await settingsIn(join(geminiFolder(env), "settings.json"));
  return settings === "unreadable" || settings === undefined ? {} : settings;
}

/** The value at a path: `at(settings, "security", "auth")`. */
export function at(settings: unknown, ...names: readonly string[]): unknown {
  return names.reduce((value, name) => record(value)[name], settings);
}

export const signInHelp = "Run `gemini` and sign in there, or set GEMINI_API_KEY.";

export const keyVariables: readonly string[] = ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS"];

/** The sign-in that the environment selects. The program needs it in its settings to resume a session. */
export function authTypeIn(env: Environment): string | undefined {
  if (env["GOOGLE_GENAI_USE_GCA"] === "true") return "oauth-personal";
  if (env["GOOGLE_GENAI_USE_VERTEXAI"] === "true") return "vertex-ai";
  return env["GEMINI_API_KEY"] ? "gemini-api-key" : undefined;
}

export async function signInOf(env: Environment): Promise<SignIn> {
  const selected = at(await ownSettings(env), "security", "auth", "selectedType") ?? authTypeIn(env);
  switch (selected) {
    case undefined:
      return { signedIn: "no", help: signInHelp };
    case "gemini-api-key":
      // Without the variable there may be a key in the system's key store.
      return env["GEMINI_API_KEY"]
        ? { signedIn: "yes", signedInHow: "API key (GEMINI_API_KEY)" }
        : { signedIn: "unknown", signedInHow: "API key" };
    case "vertex-ai":
      return { signedIn: "unknown", signedInHow: env["GOOGLE_API_KEY"] ? "Vertex AI (GOOGLE_API_KEY)" : "Vertex AI" };
    case "oauth-personal": {
      const kept = existsSync(join(geminiFolder(env), "oauth_creds.json"));
      return { signedIn: kept ? "yes" : "unknown", signedInHow: "Google account" };
    }
    default:
      return { signedIn: "unknown", signedInHow: typeof selected === "string" ? selected : undefined };
  }
}

const declared = {
  names: ["NO_BROWSER", "CODE_ASSIST_ENDPOINT", "CLOUD_SHELL", "SSH_AUTH_SOCK", "SEATBELT_PROFILE"],
  prefixes: ["GEMINI_", "GOOGLE_", "CLOUDSDK_"],
};
/** Variables of an editor or of an outer session, which would make this session part of that one. */
const ofAnOuterSession = /^GEMINI_CLI(?:$|_IDE_|_INTEGRATION_TEST$)/;

export function environmentOf(parentEnv: Environment, extra?: Readonly<Record<string, string>>) {
  const env = childEnvironment(parentEnv, declared);
  for (const name of Object.keys(env)) if (ofAnOuterSession.test(name)) delete env[name];
  // Otherwise it restarts itself as a child for more memory, which takes a second and adds a process to stop.
  env["GEMINI_CLI_NO_RELAUNCH"] = "true";
  return { ...env, ...extra };
}

export function probe(context: AgentContext): Promise<Readiness> {
  const env = environmentOf(context.env);
  return probeProgram(program, context, { env, signIn: () => signInOf(env) });
}

export const stateOf = (sessionId: string): string => encodeState(program.id, sessionId);

export const sessionOf = (state: string): string => decodeState(program.id, program.name, state);
