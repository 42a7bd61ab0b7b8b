import { readFile } from "node:fs/promises";
import { ReinsError } from "../../events/errors.ts";
import { parseJson } from "../../protocols/json.ts";
import { changedRules, compileRules, type CompiledRules } from "../../protocols/screen/rules.ts";
import type { AgentContext, AgentSession, OpenOptions } from "../contract.ts";
import type { Command } from "../shared/program/program.ts";
import { ScreenSession } from "../shared/screen/session.ts";
import { failures } from "./failures.ts";
import { argumentsOf } from "./launch.ts";
import { environmentOf, program } from "./program.ts";
import { rules } from "./rules.ts";

export async function openSession(
  context: AgentContext,
  options: OpenOptions,
  command: Command,
): Promise<AgentSession> {
  const argv = [command.path, ...command.args, ...argumentsOf(options)];
  const env = environmentOf(context.env, options.env);
  const agent = { id: program.id, name: program.name, argv, env, rules: await rulesFrom(context.env), failures };
  return ScreenSession.open(context, agent, options);
}

/** Only the user can name the file: a project cannot. */
export async function rulesFrom(env: Readonly<Record<string, string | undefined>>): Promise<CompiledRules> {
  const { REINS_AIDER_RULES: file = "" } = env;
  if (file === "") return compileRules(rules);
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new ReinsError("invalid_input", `The rules in ${file} cannot be read.`, { agent: program.id, cause });
  });
  return compileRules(changedRules(rules, parseJson(text), file));
}
