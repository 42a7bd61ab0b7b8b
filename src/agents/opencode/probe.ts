/** Whether OpenCode is here, which version, and which services it can use; without asking any of them. */
import type { AgentContext, Readiness } from "../contract.ts";
import { probeProgram } from "../shared/program.ts";
import { signIn } from "./auth-list.ts";
import { environmentOf } from "./launch.ts";
import { program } from "./program.ts";

export function probe(context: AgentContext): Promise<Readiness> {
  return probeProgram(program, context, {
    env: environmentOf(context.env),
    signIn: async (run) => signIn((await run("auth", "list")).stdout),
  });
}
