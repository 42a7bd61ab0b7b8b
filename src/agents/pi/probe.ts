/** Whether pi is here, which version, and which services it can use; without asking any of them. */
import type { AgentContext, Readiness } from "../contract.ts";
import { probeProgram } from "../shared/program.ts";
import { environmentOf } from "./launch.ts";
import { program } from "./program.ts";
import { signInOf } from "./sign-in.ts";

export function probe(context: AgentContext): Promise<Readiness> {
  // Else it would look for newer lists of models first.
  const env = { ...environmentOf(context.env), PI_OFFLINE: "1" };
  return probeProgram(program, context, { env, signIn: (run) => signInOf(env, run) });
}
