/** Who is signed in. No command of the program tells; what it looks at when it starts does. Only names are looked at, never keys. */
import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { record, text } from "../../drivers/stream-json/read.ts";
import type { SignIn } from "../shared/program.ts";
import { signInHelp } from "./errors.ts";
import { homeOf } from "./temporary.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Each a set of variables that is enough together. */
const enough: readonly (readonly string[])[] = [
  ["OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL"],
  ["OPENAI_API_KEY", "OPENAI_BASE_URL", "QWEN_MODEL"],
  ["GEMINI_API_KEY", "GEMINI_MODEL"],
  ["GOOGLE_API_KEY", "GOOGLE_MODEL"],
  ["GOOGLE_CLOUD_PROJECT", "GOOGLE_MODEL"],
  ["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "ANTHROPIC_MODEL"],
];

export async function signIn(env: Environment): Promise<SignIn> {
  const set = enough.find((names) => names.every((name) => (env[name] ?? "") !== ""));
  if (set !== undefined) return { signedIn: "yes", signedInHow: `API key (${set[0]})` };
  const folder = homeOf(env);
  const chosen = text(record(record(record(await settingsIn(folder))["security"])["auth"])["selectedType"]);
  // Its own free sign-in ended in 2026.
  if (chosen === "qwen-oauth") return { signedIn: "no", help: signInHelp };
  if (chosen !== undefined) return { signedIn: "yes", signedInHow: `its settings (${chosen})` };
  // Keys may stand in these; they are not read.
  const hidden = await Promise.all([join(folder, ".env"), join(env["HOME"] || homedir(), ".env")].map(exists));
  return hidden.includes(true) ? { signedIn: "unknown" } : { signedIn: "no", help: signInHelp };
}

async function settingsIn(folder: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(join(folder, "settings.json"), "utf8"));
  } catch {
    return undefined;
  }
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
