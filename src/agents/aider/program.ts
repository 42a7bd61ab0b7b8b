import { childEnvironment } from "../../process/index.ts";
import type { AgentContext, Readiness } from "../contract.ts";
import { probeProgram, type Program, type SignIn } from "../shared/program/program.ts";

export const program: Program = {
  id: "aider",
  name: "Aider",
  command: "aider",
  installHelp: "Install it with `python -m pip install aider-install && aider-install`.",
  updateHelp: "Update it with `aider --upgrade`.",
};

export const keyVariables = [
  "ANTHROPIC_API_KEY",
  "OPENAI_API_KEY",
  "GEMINI_API_KEY",
  "OPENROUTER_API_KEY",
  "DEEPSEEK_API_KEY",
];

const declaredPrefixes =
  "AIDER_ ANTHROPIC_ OPENAI_ GEMINI_ OPENROUTER_ DEEPSEEK_ GROQ_ OLLAMA_ AZURE_ AWS_ VERTEX_ XAI_ LM_STUDIO_".split(
    " ",
  );

/** Variables that answer its questions for the user. */
const answering = ["AIDER_YES", "AIDER_YES_ALWAYS"];

export function environmentOf(
  parent: Readonly<Record<string, string | undefined>>,
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const env = childEnvironment(parent, { prefixes: declaredPrefixes, names: ["SSH_AUTH_SOCK"] });
  for (const name of answering) delete env[name];
  // A dumb terminal would do, but Aider then prints one more line.
  return { ...env, TERM: "xterm-256color", ...extra };
}

export function probe(context: AgentContext): Promise<Readiness> {
  const env = environmentOf(context.env);
  return probeProgram(program, context, { env, signIn: async () => signInBy(env) });
}

/** A key may also be in its configuration or a `.env` file, so a missing variable proves nothing. */
export function signInBy(env: Readonly<Record<string, string | undefined>>): SignIn {
  const variable = keyVariables.find((name) => env[name]);
  return variable === undefined ? { signedIn: "unknown" } : { signedIn: "yes", signedInHow: `API key (${variable})` };
}
