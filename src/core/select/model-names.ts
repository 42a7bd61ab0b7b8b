/** Model names: which agents offer a model, how an agent spells it, and warnings about unknown names. */
import type { AgentEntry, ModelInfo } from "../../agents/contract.ts";
import { isAlias, unifiedModel, unifiedModels } from "../../agents/models.ts";
import { closest } from "../../events/closest.ts";

export function serves(entry: AgentEntry, model: string): boolean {
  const unified = unifiedModel(model)?.id;
  return [model, unified].some((name) => name !== undefined && entry.servesModel?.(name) === true);
}

/**
 * The model name to pass to an agent: its spelling of an alias, otherwise of the model, otherwise the unified name,
 * otherwise the name as given.
 */
export function ownName(entry: AgentEntry | undefined, model: string): string {
  const unified = unifiedModel(model);
  const short = isAlias(model) ? entry?.ownModel?.(model.toLowerCase()) : undefined;
  const own = short ?? entry?.ownModel?.(unified?.id ?? model);
  if (own !== undefined) return own;
  if (unified === undefined || entry?.servesModel === undefined) return model;
  // A name with a vendor may mean a service, if the agent has several.
  const full = `${unified.vendor}/${unified.id}`;
  return model.includes("/") && entry.servesModel(full) ? full : unified.id;
}

/**
 * Returns a warning when a name looks misspelled or unknown to this agent. The name is passed on anyway, because
 * agents learn new models.
 */
export function doubts(
  entry: AgentEntry | undefined,
  model: string,
  listed?: readonly ModelInfo[],
): string | undefined {
  if (entry?.servesModel === undefined) return undefined;
  if (unifiedModel(model) !== undefined && serves(entry, model)) return undefined;
  if (listed?.some(({ id }) => id === model) === true) return undefined;
  const near = closest(model, [...namesOf(entry), ...(listed ?? []).map(({ id }) => id)]);
  if (near === undefined && entry.servesModel(model)) return undefined;
  const said = `${model} is not a model that Reins knows of ${entry.name}; it is passed on as it is.`;
  return near === undefined ? said : `${said} Did you mean ${near}?`;
}

function namesOf(entry: AgentEntry): string[] {
  const mine = unifiedModels.filter(({ id }) => entry.servesModel?.(id) === true);
  return mine.flatMap(({ id, aliases = [] }) => [id, ...aliases]);
}
