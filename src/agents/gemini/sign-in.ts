/** Who is signed in, from settings and the names of variables; keys and credentials are not read. */
import { access } from "node:fs/promises";
import { join } from "node:path";
import type { SignIn } from "../shared/program.ts";
import { at, geminiFolder, ownSettings } from "./home.ts";
import type { Environment } from "./home.ts";

export const signInHelp = "Run `gemini` and sign in there, or set GEMINI_API_KEY.";

export const keyVariables: readonly string[] = ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS"];

/** The way to sign in that the environment alone means; the program wants it named in its settings when it resumes a session. */
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
      // Without the variable it may have one in the system's own store of keys.
      return env["GEMINI_API_KEY"]
        ? { signedIn: "yes", signedInHow: "API key (GEMINI_API_KEY)" }
        : { signedIn: "unknown", signedInHow: "API key" };
    case "vertex-ai":
      return { signedIn: "unknown", signedInHow: env["GOOGLE_API_KEY"] ? "Vertex AI (GOOGLE_API_KEY)" : "Vertex AI" };
    case "oauth-personal": {
      const kept = await access(join(geminiFolder(env), "oauth_creds.json")).then(
        () => true,
        () => false,
      );
      return { signedIn: kept ? "yes" : "unknown", signedInHow: "Google account" };
    }
    default:
      return { signedIn: "unknown", signedInHow: typeof selected === "string" ? selected : undefined };
  }
}
