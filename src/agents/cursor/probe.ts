/** Whether Cursor is here, which version, and who is signed in; without asking a model. */
import type { AgentContext, Readiness } from "../contract.ts";
import { probeProgram } from "../shared/program.ts";
import { environmentOf } from "./environment.ts";
import { program } from "./program.ts";

export function probe(context: AgentContext): Promise<Readiness> {
  return probeProgram(program, context, {
    env: environmentOf(context.env),
    signIn: async () => ({ signedIn: "unknown" }),
  });
}
