/** The Qwen Code program: where it comes from, the version Reins needs, who is signed in. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { parseJson, record, text } from "../../protocols/json.ts";
import type { AgentContext, Readiness } from "../contract.ts";
import { probeProgram, type Program, type SignIn } from "../shared/program/program.ts";
import { conversationState } from "../../protocols/conversation-state.ts";
import { environmentOf, homeOf } from "./launch.ts";

export const program: Program = {
  id: "qwen",
  name: "Qwen Code",
  command: "qwen",
  package: "@qwen-code/qwen-code",
  installHelp: "Install it with `npm install -g @qwen-code/qwen-code`.",
  updateHelp: "Update it with `qwen update` or `npm install -g @qwen-code/qwen-code`.",
  // The oldest version that was tested against a scripted model.
  minimalVersion: "0.24.4",
};

export const { encode: encodeState, decode: decodeState } = conversationState(program);

export const signInHelp =
  "Run `qwen` and type /auth, or set OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL for a service of your own.";

export function probe(context: AgentContext): Promise<Readiness> {
  return probeProgram(program, context, { env: environmentOf(context.env), signIn: () => signIn(context.env) });
}

/** Each set of variables is sufficient by itself. */
const enough: readonly (readonly string[])[] = [
  ["OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL"],
  ["OPENAI_API_KEY", "OPENAI_BASE_URL", "QWEN_MODEL"],
  ["GEMINI_API_KEY", "GEMINI_MODEL"],
  ["GOOGLE_API_KEY", "GOOGLE_MODEL"],
  ["GOOGLE_CLOUD_PROJECT", "GOOGLE_MODEL"],
  ["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "ANTHROPIC_MODEL"],
];

/** No command reports who is signed in, so this checks what the program reads at start: only names, never keys. */
export async function signIn(env: AgentContext["env"]): Promise<SignIn> {
  const set = enough.find((names) => names.every((name) => (env[name] ?? "") !== ""));
  if (set !== undefined) return { signedIn: "yes", signedInHow: `API key (${set[0]})` };
  const folder = homeOf(env);
  const settings = record(parseJson(await readFile(join(folder, "settings.json"), "utf8").catch(() => "")));
  const chosen = text(record(record(settings["security"])["auth"])["selectedType"]);
  // The free sign-in was discontinued in 2026.
  if (chosen === "qwen-oauth") return { signedIn: "no", help: signInHelp };
  if (chosen !== undefined) return { signedIn: "yes", signedInHow: `its settings (${chosen})` };
  // These files may hold keys, so they are not read.
  const isHidden = [folder, env["HOME"] || homedir()].some((place) => existsSync(join(place, ".env")));
  return isHidden ? { signedIn: "unknown" } : { signedIn: "no", help: signInHelp };
}
