/** A model by whatever name: which agents have it, how the chosen one spells it, and what to say of a name nobody knows. */
import type { AgentEntry, ModelInfo } from "../../agents/contract.ts";
import { isAlias, unifiedModel, unifiedModels } from "../../agents/models.ts";
import { closest } from "../../events/closest.ts";

export function serves(entry: AgentEntry, model: string): boolean {
  const unified = unifiedModel(model)?.id;
  return [model, unified].some((name) => name !== undefined && entry.servesModel?.(name) === true);
}

/** The name to hand to an agent: its own spelling of a short name, else of the model, else the unified one, else as it was given. */
export function ownName(entry: AgentEntry | undefined, model: string): string {
  const unified = unifiedModel(model);
  const short = isAlias(model) ? entry?.ownModel?.(model.toLowerCase()) : undefined;
  const own = short ?? entry?.ownModel?.(unified?.id ?? model);
  if (own !== undefined) return own;
  if (unified === undefined || entry?.servesModel === undefined) return model;
  // Who named the maker may mean a service, where the agent has several.
  const full = `${unified.vendor}/${unified.id}`;
  return model.includes("/") && entry.servesModel(full) ? full : unified.id;
}

/** What to say when a name looks like a slip, or like nothing this agent has. It is passed on all the same: agents learn new models. */
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
