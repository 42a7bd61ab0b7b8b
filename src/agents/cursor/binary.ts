/** Which program is Cursor: others are called `agent` too, and which one is meant by that name depends on what was installed last. */
import { realpath, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { ReinsError } from "../../events/errors.ts";
import { childEnvironment, findCommands } from "../../process/index.ts";
import type { AgentContext } from "../contract.ts";
import { commandOf } from "../shared/program.ts";
import type { Command } from "../shared/program.ts";
import { variableOf } from "../variable.ts";
import { program } from "./program.ts";
import { cursorVersionIn } from "./version.ts";

/** The older name first: nobody else has it. */
const names = [program.command, "agent"];

export interface Search {
  readonly command?: Command | undefined;
  /** Programs of one of its names that are something else. */
  readonly strangers: readonly string[];
}

export async function findCursor(context: AgentContext): Promise<Search> {
  const { env } = context;
  // Whoever names a program knows which one it is.
  if (env[variableOf(program.id, "COMMAND")]?.trim()) return { command: commandOf(program, env), strangers: [] };
  const strangers: string[] = [];
  for (const name of names)
    for (const path of await findCommands(name, env)) {
      if (await isCursor(path, context)) return { command: { path, args: [] }, strangers };
      strangers.push(path);
    }
  return { strangers };
}

export async function requireCursor(context: AgentContext): Promise<Command> {
  const { command, strangers } = await findCursor(context);
  if (command !== undefined) return command;
  throw new ReinsError("not_installed", notFound(strangers), { agent: program.id, help: program.installHelp });
}

export function notFound(strangers: readonly string[]): string {
  const others = strangers.length === 0 ? "" : `; ${strangers.join(", ")} is something else`;
  return `${program.name} was not found (${names.join(", ")})${others}.`;
}

/** By file: a program that was replaced is asked again. */
const known = new Map<string, Promise<boolean>>();

async function isCursor(path: string, context: AgentContext): Promise<boolean> {
  const file = await realpath(path).catch(() => path);
  // Where its installer put it, the folder has the name of the version.
  const folder = /[\\/]cursor-agent[\\/]versions[\\/]([^\\/]+)[\\/]/.exec(file)?.[1];
  if (folder !== undefined && cursorVersionIn(folder) !== undefined) return true;
  const { mtimeMs, size } = await stat(file);
  const key = JSON.stringify([file, mtimeMs, size]);
  let answer = known.get(key);
  if (answer === undefined) {
    answer = saysItsVersion(path, context);
    known.set(key, answer);
    answer.catch(() => known.delete(key));
  }
  return answer.catch(() => false);
}

/** It may be anybody's program: it is given no key. */
async function saysItsVersion(path: string, { processes, env, deadlines }: AgentContext): Promise<boolean> {
  const spec = { command: path, args: ["--version"], cwd: tmpdir(), env: childEnvironment(env), agent: program.id };
  const { stdout, timedOut } = await processes.run(spec, deadlines.probe);
  if (timedOut) throw new ReinsError("timeout", `${path} did not say its version in time.`, { agent: program.id });
  return cursorVersionIn(stdout) !== undefined;
}
