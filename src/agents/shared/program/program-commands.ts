/** Commands of an agent's program: those for the user to run, and those that Reins runs. */
import { tmpdir } from "node:os";
import type { Output } from "../../../process/types.ts";
import type { AgentContext, ManagementCommand } from "../../contract.ts";
import { commandOf, requireProgram, type Command, type Program } from "./program.ts";

/** The program with these arguments, for the user's own terminal. */
export function commandsOf(program: Program, { env }: AgentContext): (...args: string[]) => ManagementCommand {
  return (...args) => {
    const { path, args: first } = commandOf(program, env);
    return { command: path, args: [...first, ...args] };
  };
}

/** Runs outside any project, because a program may start what it finds in one, such as its MCP servers. */
export async function runProgram(
  program: Program,
  context: AgentContext,
  args: readonly string[],
  { env, command }: { readonly env: Record<string, string>; readonly command?: Command },
): Promise<Output> {
  const { path, args: first } = command ?? (await requireProgram(program, context.env));
  const spec = { command: path, args: [...first, ...args], cwd: tmpdir(), env, agent: program.id };
  return context.processes.run(spec, context.deadlines.request);
}
