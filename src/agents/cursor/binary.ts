/** Which program is Cursor: others are called `agent` too, and which one is meant by that name depends on what was installed last. */
import { ReinsError } from "../../events/errors.ts";
import { findCommands } from "../../process/index.ts";
import type { AgentContext } from "../contract.ts";
import { commandOf } from "../shared/program.ts";
import type { Command } from "../shared/program.ts";
import { variableOf } from "../variable.ts";
import { statedVersion } from "./installed-version.ts";
import { program } from "./program.ts";

/** The older name first: nobody else has it. */
const names = [program.command, "agent"];

export interface Search {
  readonly command?: Command | undefined;
  /** Programs of one of its names that did not show that they are it, each with what is known of it. */
  readonly strangers: readonly string[];
}

export async function findCursor(context: AgentContext): Promise<Search> {
  const { env } = context;
  // Whoever names a program knows which one it is.
  if (env[variableOf(program.id, "COMMAND")]?.trim()) return { command: commandOf(program, env), strangers: [] };
  const strangers: string[] = [];
  for (const name of names)
    for (const path of await findCommands(name, env)) {
      const command = { path, args: [] };
      try {
        if ((await statedVersion(command, context)) !== undefined) return { command, strangers };
        strangers.push(`${path} is something else`);
      } catch {
        // A machine that is busy is no reason to say that it is not Cursor.
        strangers.push(`${path} did not say its version in time`);
      }
    }
  return { strangers };
}

export async function requireCursor(context: AgentContext): Promise<Command> {
  const { command, strangers } = await findCursor(context);
  if (command !== undefined) return command;
  throw new ReinsError("not_installed", notFound(strangers), { agent: program.id, help: program.installHelp });
}

export function notFound(strangers: readonly string[]): string {
  return `${[`${program.name} was not found (${names.join(", ")})`, ...strangers].join("; ")}.`;
}
