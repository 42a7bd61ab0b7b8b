/** Whether Codex is here, which version, and who is signed in; without asking a model. */
import type { AgentContext, Readiness } from "../contract.ts";
import { probeProgram } from "../shared/program.ts";
import type { SignIn } from "../shared/program.ts";
import { providerIn, readConfig } from "./config.ts";
import type { ModelProvider } from "./config.ts";
import { signInHelp } from "./errors.ts";
import { keyVariableIn } from "./key-provider.ts";
import { environmentOf } from "./launch.ts";
import { program } from "./program.ts";

export async function probe(context: AgentContext): Promise<Readiness> {
  const provider = providerIn(await readConfig(context.env));
  return probeProgram(program, context, {
    env: await environmentOf(context.env),
    signIn: async (run) => {
      if (provider !== undefined) return atProvider(provider, context.env);
      const { stdout, stderr } = await run("login", "status");
      return signInOf(`${stdout}\n${stderr}`, context.env);
    },
  });
}

/** It says it in words, on stderr. */
export function signInOf(said: string, env: AgentContext["env"]): SignIn {
  if (/not logged in/i.test(said)) {
    const variable = keyVariableIn(env);
    return variable === undefined
      ? { signedIn: "no", help: signInHelp }
      : { signedIn: "yes", signedInHow: `API key (${variable})` };
  }
  if (/logged in using chatgpt/i.test(said)) return { signedIn: "yes", signedInHow: "subscription" };
  if (/api key/i.test(said)) return { signedIn: "yes", signedInHow: "API key" };
  if (/logged in using (.+)/i.test(said))
    return { signedIn: "yes", signedInHow: /logged in using (.+)/i.exec(said)![1]!.trim() };
  return { signedIn: "unknown" };
}

/** Another service than OpenAI's wants a key of its own, or none. */
function atProvider({ name, keyVariable }: ModelProvider, env: AgentContext["env"]): SignIn {
  if (keyVariable === undefined) return { signedIn: "unknown", signedInHow: name };
  return env[keyVariable]
    ? { signedIn: "yes", signedInHow: `API key (${keyVariable})` }
    : { signedIn: "no", help: `Set ${keyVariable}, which the model provider ${name} of its config.toml asks for.` };
}
