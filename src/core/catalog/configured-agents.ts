/**
 * Turns the agents of the user's configuration into registry entries: additional agents, and existing ones with
 * another program or other variables.
 */
import { entryFor } from "../../agents/index.ts";
import type { Agent, AgentContext, AgentEntry } from "../../agents/contract.ts";
import { variableOf } from "../../agents/variable.ts";
import { ReinsError } from "../../events/errors.ts";
import type { AgentSettings } from "../config/config.ts";
import type { Environment } from "../config/config-files.ts";
import { closest } from "../../events/closest.ts";

export function configuredEntries(
  known: readonly AgentEntry[],
  agents: Readonly<Record<string, AgentSettings>>,
): AgentEntry[] {
  return Object.entries(agents).flatMap(([id, settings]) => {
    const existing = known.find((entry) => entry.id === id);
    const { acp, command } = settings;
    if (acp !== undefined && existing !== undefined)
      throw refused(`There is an agent ${id} already.`, "Give yours another id.");
    if (acp !== undefined && command !== undefined)
      throw refused(`The agent ${id} has two commands, \`acp\` and \`command\`.`, "Leave one of them out.");
    if (acp !== undefined) return [withSettings(entryFor(id, { ...settings, acp }), settings)];
    if (existing === undefined) throw unknown(id, known);
    return [withSettings(existing, settings)];
  });
}

function withSettings(entry: AgentEntry, settings: AgentSettings): AgentEntry {
  const { args = [], env = {} } = settings;
  const open =
    (agent: Agent): Agent["open"] =>
    (options) =>
      agent.open({
        ...options,
        ...(args.length > 0 && { extraArgs: [...args, ...(options.extraArgs ?? [])] }),
        // For a remote agent the variables would leave this machine. A local agent gets them through its context.
        ...(Object.keys(env).length > 0 && !agent.capabilities.elsewhere && { env: { ...env, ...options.env } }),
      });
  return {
    ...entry,
    load: async () => {
      const { createAgent } = await entry.load();
      return {
        createAgent: (context, id) => {
          const agent = createAgent(contextWith(context, entry.id, settings), id);
          return { ...agent, open: open(agent) };
        },
      };
    },
  };
}

/**
 * Variables of one agent override the common environment, except that `REINS_<AGENT>_COMMAND` in the environment overrides
 * the configured program.
 */
function contextWith(context: AgentContext, id: string, { command, env }: AgentSettings): AgentContext {
  const variable = variableOf(id, "COMMAND");
  const program = typeof command === "object" ? JSON.stringify(command) : command;
  return { ...context, env: { ...context.env, ...env, [variable]: context.env[variable] || program } };
}

/** The environment plus the variables of single agents, so that their secrets are redacted too. */
export function withVariables(env: Environment, agents: Readonly<Record<string, AgentSettings>>): Environment {
  const set = Object.entries(agents).flatMap(([id, settings]) =>
    Object.entries(settings.env ?? {}).map(([name, value]) => [`${id} ${name}`, value] as const),
  );
  return set.length === 0 ? env : { ...env, ...Object.fromEntries(set) };
}

function unknown(id: string, known: readonly AgentEntry[]): ReinsError {
  const ids = known.map((entry) => entry.id);
  const near = closest(id, ids);
  const other = near === undefined ? "" : `Did you mean ${near}? `;
  return refused(
    `The configuration names an unknown agent ${id}.`,
    `${other}A custom agent needs \`acp\`, the command that speaks ACP.`,
  );
}

function refused(message: string, help: string): ReinsError {
  return new ReinsError("invalid_input", message, { help });
}
