/** Whether pi is here, which version, and which services it can use; without asking any of them. */
import type { AgentContext, Readiness } from "../contract.ts";
import { probeProgram } from "../shared/program.ts";
import type { SignIn } from "../shared/program.ts";
import { environmentOf } from "./launch.ts";
import { modelsIn } from "./list-models.ts";
import { program } from "./program.ts";

const help = "Start `pi` and type /login, or set the key of a model's service, such as ANTHROPIC_API_KEY.";

export function probe(context: AgentContext): Promise<Readiness> {
  return probeProgram(program, context, {
    // Else it would look for newer lists of models first.
    env: { ...environmentOf(context.env), PI_OFFLINE: "1" },
    signIn: async (run) => signIn((await run("--list-models")).stdout),
  });
}

/** Every service has a sign-in of its own; one is enough. */
export function signIn(stdout: string): SignIn {
  if (stdout.startsWith("No models available")) return { signedIn: "no", help };
  const services = [...new Set(modelsIn(stdout).map(({ provider }) => provider))];
  return services.length === 0 ? { signedIn: "unknown" } : { signedIn: "yes", signedInHow: services.join(", ") };
}
