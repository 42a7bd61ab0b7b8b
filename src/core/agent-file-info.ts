/** The agent files that there are, for people. */
import { realpath } from "node:fs/promises";
import type { AgentFile } from "./agent-file.ts";
import { AgentFiles } from "./agent-files.ts";
import type { Environment } from "./configuration-files.ts";
import { loadConfiguration } from "./configuration.ts";

export interface AgentFileInfo
  extends
    Pick<AgentFile, "id" | "path" | "whose">,
    Partial<Pick<AgentFile, "name" | "description" | "agent" | "model" | "mode" | "fallback" | "color" | "locale">> {
  /** What it asks for and does not get. */
  readonly ignored?: readonly string[];
  /** Why it cannot be used. */
  readonly problem?: string | undefined;
}

export async function agentFileInfos(
  cwd: string,
  env: Environment,
  agents: readonly string[],
): Promise<readonly AgentFileInfo[]> {
  const folder = await realpath(cwd).catch(() => cwd);
  // What is wrong with a configuration is told by what needs it.
  const mode = await loadConfiguration(folder, env)
    .then(({ files }) => files.person?.value.mode)
    .catch(() => undefined);
  const files = await AgentFiles.find(folder, env, mode);
  return (await files.list()).map((file) => {
    const { id, path, whose } = file;
    if ("error" in file) return { id, path, whose, problem: file.error.message };
    const { name, description, agent, model, fallback, color, locale, ignored } = file;
    const problem = agents.includes(id) ? "It is not used: there is an agent of that name." : undefined;
    return {
      id,
      path,
      whose,
      name,
      description,
      agent,
      model,
      mode: file.mode,
      fallback,
      color,
      locale,
      ignored,
      problem,
    };
  });
}
