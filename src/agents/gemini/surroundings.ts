/** What the program finds around it: its environment, and what it will not do here. */
import { stateHome } from "../../process/home.ts";
import type { AgentContext, OpenOptions } from "../contract.ts";
import { defaultsVariable } from "./defaults.ts";
import { environmentOf } from "./launch.ts";
import { hasSystemPolicies } from "./policy.ts";
import { program } from "./program.ts";
import { allowedByProject, isTrusted } from "./trust.ts";

export interface Surroundings {
  readonly env: Record<string, string>;
  /** One sentence each. */
  readonly divergences: readonly string[];
}

export async function surroundingsOf(
  context: AgentContext,
  { cwd, env: extra, tools, mcpServers = {} }: OpenOptions,
): Promise<Surroundings> {
  const own = environmentOf(context.env, extra);
  const env = { ...own, ...(await defaultsVariable(own, stateHome(context.env))) };
  const divergences: string[] = [];
  const allowed = await allowedByProject(cwd);
  if (allowed.length > 0 && (await isTrusted(cwd, env))) {
    env["GEMINI_CLI_TRUST_WORKSPACE"] = "false";
    const what = `The project's .gemini/settings.json lets tools run unasked (${allowed.join(", ")})`;
    divergences.push(`${what}, so ${program.name} works here as in a folder it does not trust.`);
  }
  if (Object.keys(mcpServers).length > 0 && !(await isTrusted(cwd, env)))
    divergences.push(`${program.name} starts no MCP servers in a folder it does not trust.`);
  if (tools !== undefined && (await hasSystemPolicies()))
    divergences.push(`${program.name} follows an administrator's policies here and takes no list of tools from Reins.`);
  return { env, divergences };
}
