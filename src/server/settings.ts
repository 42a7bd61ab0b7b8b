import { realpath } from "node:fs/promises";
import { agentEntries } from "../agents/index.ts";
import { withVariables } from "../core/catalog/configured-agents.ts";
import { settingsOf, type SettingSources } from "../core/config/config-origins.ts";
import { loadConfiguration } from "../core/config/config.ts";
import { ReinsError } from "../events/errors.ts";
import { createRedactor } from "../events/redact.ts";
import type { ConfigurationAnswer } from "./schemas/settings.ts";

/** The effective settings of a folder, without secrets. Follows links: the project's file is searched above the real folder. */
export async function settingsIn(
  folder: string,
  env: SettingSources["env"],
  flags: SettingSources["flags"] = {},
): Promise<ConfigurationAnswer> {
  const cwd = await realpath(folder).catch(() => {
    throw new ReinsError("invalid_input", `The folder ${folder} does not exist.`);
  });
  const loaded = await loadConfiguration(cwd, env);
  const { agents: configured = {}, remarks } = loaded;
  const agents = [...new Set([...agentEntries.map(({ id }) => id), ...Object.keys(configured)])];
  const redact = createRedactor(withVariables(env, configured));
  return { settings: redact.deep(settingsOf({ loaded, env, agents, flags })), remarks };
}
