/**
 * The npm package brings a small Node program that starts the real one and waits for it. Killed alone it leaves the other running, so
 * the real one is started itself; that saves a process and the start of Node, too.
 */
import { access, constants, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { findCommand } from "../../process/index.ts";
import type { AgentContext } from "../contract.ts";
import { requireProgram } from "../shared/program.ts";
import type { Command } from "../shared/program.ts";
import { program } from "./program.ts";

export async function requireCopilot({ env }: AgentContext): Promise<Command> {
  return withoutLoader(await requireProgram(program, env), env);
}

export async function withoutLoader(command: Command, env: AgentContext["env"]): Promise<Command> {
  const found = await findCommand(command.path, env);
  const loader = found === undefined ? undefined : await realpath(found.path).catch(() => undefined);
  if (loader === undefined || basename(loader) !== "npm-loader.js") return command;
  // Which C library there is, the loader knows: where both packages are installed it shall choose.
  const systems = process.platform === "linux" ? ["linux", "linuxmusl"] : [process.platform];
  const name = process.platform === "win32" ? "copilot.exe" : "copilot";
  const packages = systems.map((system) => join(dirname(dirname(loader)), `copilot-${system}-${process.arch}`, name));
  const there = await Promise.all(packages.map((path) => isExecutable(path)));
  const binaries = packages.filter((_, index) => there[index]);
  return binaries.length === 1 ? { path: binaries[0]!, args: command.args } : command;
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
