/** What an agent lets choose: its modes and models, as configuration options, and as older agents still list them. */
import { record, records, text } from "./read.ts";
import type { Wire } from "./read.ts";

export interface Choice {
  readonly id: string;
  readonly label: string;
  readonly description?: string | undefined;
}

/** One thing to choose, and the request that chooses it. */
export interface Setting {
  readonly current: string | undefined;
  readonly choices: readonly Choice[];
  request(id: string): { readonly method: string; readonly params: Wire };
}

export type SettingName = "mode" | "model";

export class Settings {
  #options: readonly Wire[] = [];
  #legacy: Readonly<Record<SettingName, Wire>> = { mode: {}, model: {} };

  /** The answer to new, load or resume. */
  opened(result: Wire): void {
    this.#options = records(result["configOptions"]);
    this.#legacy = { mode: record(result["modes"]), model: record(result["models"]) };
  }

  /** All options, as an update or an answer tells them; anything else changes nothing. */
  replaced(options: unknown): void {
    if (Array.isArray(options)) this.#options = records(options);
  }

  /** `current_mode_update`, and what we chose ourselves. */
  chose(name: SettingName, id: string): void {
    const option = this.#option(name);
    if (option !== undefined) {
      this.#options = this.#options.map((one) => (one === option ? { ...one, currentValue: id } : one));
    }
    const key = name === "mode" ? "currentModeId" : "currentModelId";
    this.#legacy = { ...this.#legacy, [name]: { ...this.#legacy[name], [key]: id } };
  }

  /** The ways to choose it, the newer first; none where the agent lists nothing. */
  waysTo(name: SettingName): Setting[] {
    const option = this.#option(name);
    const ways = option === undefined ? [] : [ofOption(option)];
    const legacy = name === "mode" ? modesOf(this.#legacy.mode) : modelsOf(this.#legacy.model);
    return [...ways, legacy].filter(({ choices }) => choices.length > 0);
  }

  /** How to choose a model where none is listed. */
  get anyModel(): Setting {
    return modelsOf(this.#legacy.model);
  }

  current(name: SettingName): Choice | undefined {
    const [listed] = this.waysTo(name);
    const setting = listed ?? (name === "model" ? this.anyModel : undefined);
    const id = setting?.current;
    if (id === undefined) return undefined;
    return setting?.choices.find((choice) => choice.id === id) ?? { id, label: id };
  }

  /** The current value of an option by its id. */
  valueOf(optionId: string): unknown {
    return this.#options.find((option) => option["id"] === optionId)?.["currentValue"];
  }

  #option(name: SettingName): Wire | undefined {
    return (
      this.#options.find((option) => option["category"] === name) ??
      this.#options.find((option) => option["id"] === name)
    );
  }
}

export function setOption(configId: string, value: string): { method: string; params: Wire } {
  return { method: "session/set_config_option", params: { configId, value } };
}

function ofOption(option: Wire): Setting {
  const flat = records(option["options"]).flatMap((one) =>
    Array.isArray(one["options"]) ? records(one["options"]) : [one],
  );
  return {
    current: text(option["currentValue"]),
    choices: choicesIn(flat, "value"),
    request: (id) => setOption(String(option["id"]), id),
  };
}

function modesOf(modes: Wire): Setting {
  return {
    current: text(modes["currentModeId"]),
    choices: choicesIn(records(modes["availableModes"]), "id"),
    request: (modeId) => ({ method: "session/set_mode", params: { modeId } }),
  };
}

function modelsOf(models: Wire): Setting {
  return {
    current: text(models["currentModelId"]),
    choices: choicesIn(records(models["availableModels"]), "modelId"),
    request: (modelId) => ({ method: "session/set_model", params: { modelId } }),
  };
}

function choicesIn(items: readonly Wire[], key: string): Choice[] {
  return items.flatMap((item) => {
    const id = text(item[key]);
    if (id === undefined) return [];
    const [label, description] = [text(item["name"]) ?? id, text(item["description"])];
    return [description === undefined ? { id, label } : { id, label, description }];
  });
}

/** The choice a person means: by id, by its name, or by the last part of an id such as `maker/model`. */
export function meant(wanted: string, choices: readonly Choice[]): Choice | undefined {
  const low = wanted.toLowerCase();
  const byId = choices.find(({ id }) => id === wanted);
  if (byId !== undefined) return byId;
  const alike = choices.filter(({ id, label }) => label.toLowerCase() === low || id.toLowerCase().endsWith(`/${low}`));
  return alike.length === 1 ? alike[0] : undefined;
}
