/** Whether Qwen Code is here, which version, and who is signed in; without asking a model. */
import type { AgentContext, Readiness } from "../contract.ts";
import { probeProgram } from "../shared/program.ts";
import { environmentOf } from "./launch.ts";
import { program } from "./program.ts";
import { signIn } from "./sign-in.ts";

export function probe(context: AgentContext): Promise<Readiness> {
  return probeProgram(program, context, { env: environmentOf(context.env), signIn: () => signIn(context.env) });
}
