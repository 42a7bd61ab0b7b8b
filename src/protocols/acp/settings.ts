/** Modes and models of an agent, from configuration options or from the lists of older agents, and other facts of a session. */
import { ReinsError } from "../../events/errors.ts";
import { modes, type Mode } from "../../events/modes.ts";
import type { AgentEventOf } from "../../events/types.ts";
import { refusalOf, rpcErrors, type Out } from "../json-rpc/index.ts";
import { record, records, text, type JsonObject } from "../json.ts";
import type { AcpOptions } from "./types.ts";

export interface Choice {
  readonly id: string;
  readonly label: string;
  readonly description?: string | undefined;
}

/** A list of choices, and the request that selects one of them. */
interface Setting {
  readonly current: string | undefined;
  readonly choices: readonly Choice[];
  request(id: string): { readonly method: string; readonly params: JsonObject };
}

type SettingName = "mode" | "model";

export class Settings {
  #options: readonly JsonObject[] = [];
  #legacy: Readonly<Record<SettingName, JsonObject>> = { mode: {}, model: {} };

  /** Reads the answer to `session/new`, `session/load` or `session/resume`. */
  opened(result: JsonObject): void {
    this.#options = records(result["configOptions"]);
    this.#legacy = { mode: record(result["modes"]), model: record(result["models"]) };
  }

  /** Updates and answers carry the complete list of options; ignores any other value. */
  replaced(options: unknown): void {
    if (Array.isArray(options)) this.#options = records(options);
  }

  chose(name: SettingName, id: string): void {
    const option = this.#option(name);
    this.#options = this.#options.map((one) => (one === option ? { ...one, currentValue: id } : one));
    const key = name === "mode" ? "currentModeId" : "currentModelId";
    this.#legacy = { ...this.#legacy, [name]: { ...this.#legacy[name], [key]: id } };
  }

  /** Returns the requests that can change the setting, the newer first. Empty when the agent lists no choices. */
  waysTo(name: SettingName): Setting[] {
    const option = this.#option(name);
    const ways = option === undefined ? [] : [ofOption(option)];
    return [...ways, ofLegacy(name, this.#legacy[name])].filter(({ choices }) => choices.length > 0);
  }

  /** The request that sets a model for an agent that lists none. */
  get anyModel(): Setting {
    return ofLegacy("model", this.#legacy.model);
  }

  current(name: SettingName): Choice | undefined {
    const [listed] = this.waysTo(name);
    const setting = listed ?? (name === "model" ? this.anyModel : undefined);
    const id = setting?.current;
    if (id === undefined) return undefined;
    return setting?.choices.find((choice) => choice.id === id) ?? { id, label: id };
  }

  valueOf(optionId: string): unknown {
    return this.#options.find((option) => option["id"] === optionId)?.["currentValue"];
  }

  #option(name: SettingName): JsonObject | undefined {
    return (
      this.#options.find((option) => option["category"] === name) ??
      this.#options.find((option) => option["id"] === name)
    );
  }
}

function setOption(configId: string, value: string): { method: string; params: JsonObject } {
  return { method: "session/set_config_option", params: { configId, value } };
}

function ofOption(option: JsonObject): Setting {
  const flat = records(option["options"]).flatMap((one) =>
    Array.isArray(one["options"]) ? records(one["options"]) : [one],
  );
  return {
    current: text(option["currentValue"]),
    choices: choicesIn(flat, "value"),
    request: (id) => setOption(String(option["id"]), id),
  };
}

/** Reads the list of an older agent. Its field names contain the name of the setting: `currentModeId`, `availableModes`. */
function ofLegacy(name: SettingName, listed: JsonObject): Setting {
  const spelled = name === "mode" ? "Mode" : "Model";
  return {
    current: text(listed[`current${spelled}Id`]),
    choices: choicesIn(records(listed[`available${spelled}s`]), name === "mode" ? "id" : "modelId"),
    request: (id) => ({ method: `session/set_${name}`, params: { [`${name}Id`]: id } }),
  };
}

function choicesIn(items: readonly JsonObject[], key: string): Choice[] {
  return items.flatMap((item) => {
    const id = text(item[key]);
    if (id === undefined) return [];
    const [label, description] = [text(item["name"]) ?? id, text(item["description"])];
    return [description === undefined ? { id, label } : { id, label, description }];
  });
}

/** Finds a choice by its id, its label, or the last part of an id such as `maker/model`. */
export function meant(wanted: string, choices: readonly Choice[]): Choice | undefined {
  const low = wanted.toLowerCase();
  const alike = choices.filter(({ id, label }) => label.toLowerCase() === low || id.toLowerCase().endsWith(`/${low}`));
  return choices.find(({ id }) => id === wanted) ?? (alike.length === 1 ? alike[0] : undefined);
}

export interface SettingChangesOptions extends Pick<AcpOptions, "name" | "agent" | "quirks"> {
  readonly facts: Facts;
  readonly ask: (method: string, params: JsonObject) => Promise<unknown>;
}

export class SettingChanges {
  readonly #o: SettingChangesOptions;

  constructor(options: SettingChangesOptions) {
    this.#o = options;
  }

  /** Sets the model at the start of a session. An agent that lists no models keeps its own; the returned sentence says so. */
  async firstModel(model: string): Promise<string[]> {
    if (this.#o.quirks.unlistedModels !== true && this.#o.facts.settings.waysTo("model").length === 0)
      return [`${this.#o.name} lists no models to choose from; it uses its own.`];
    await this.model(model);
    return [];
  }

  model(model: string): Promise<void> {
    return this.#choose("model", model);
  }

  /** When the agent has no such mode, Reins still judges the agent's requests by it. */
  async mode(mode: Mode): Promise<void> {
    const { facts, quirks } = this.#o;
    const own = quirks.modes?.[mode];
    const before = facts.mode;
    // Before the request, because the agent may report its new mode before it answers.
    facts.mode = mode;
    try {
      if (own !== undefined && facts.settings.current("mode")?.id !== own.id) await this.#choose("mode", own.id);
      for (const [option, value] of Object.entries(own?.options ?? {})) await this.#setOption(option, value);
    } catch (error) {
      facts.mode = before;
      throw error;
    }
  }

  async #setOption(option: string, value: string): Promise<void> {
    const known = this.#o.facts.settings.valueOf(option);
    if (known === undefined || known === value) return;
    const { method, params } = setOption(option, value);
    await this.#send(method, params);
  }

  async #choose(name: SettingName, wanted: string): Promise<void> {
    const { settings } = this.#o.facts;
    const listing = settings.waysTo(name);
    const listed = await this.#meant(name, wanted);
    // Already current: the program was started with this model.
    if (this.#o.quirks.model !== undefined && listed !== undefined && listed.id === settings.current(name)?.id) return;
    const takesAny = name === "model" && this.#o.quirks.unlistedModels === true;
    const ways = takesAny && listing.length === 0 ? [settings.anyModel] : listing;
    const chosen = listed ?? (takesAny ? { id: wanted } : undefined);
    if (chosen === undefined) throw this.#notOffered(name, wanted);
    for (const [index, way] of ways.entries()) {
      const { method, params } = way.request(chosen.id);
      try {
        await this.#send(method, params);
        break;
      } catch (error) {
        if (listed === undefined && refusalOf(error)?.code === rpcErrors.invalidParams)
          throw this.#notOffered(name, wanted);
        // Some agents list models in the newer way and accept only the older request.
        if (refusalOf(error)?.code !== rpcErrors.methodNotFound || index === ways.length - 1) throw error;
      }
    }
    settings.chose(name, chosen.id);
  }

  async #meant(name: SettingName, wanted: string): Promise<Pick<Choice, "id"> | undefined> {
    const { facts, quirks } = this.#o;
    const lists = facts.settings.waysTo(name).map((way) => way.choices);
    // Search one list after the other: in a merged list every name would be ambiguous.
    if (name === "mode" || quirks.model === undefined) return lists.flatMap((list) => meant(wanted, list) ?? [])[0];
    const choices = lists.flat();
    const current = facts.settings.current("model")?.id;
    const id = quirks.model(wanted, choices, current) ?? quirks.model(wanted, await this.#further(), undefined);
    return id === undefined ? undefined : { id };
  }

  async #further(): Promise<readonly Choice[]> {
    const { listModels } = this.#o.quirks;
    if (listModels === undefined) return [];
    const answer = await this.#o.ask(listModels.method, {}).catch(() => undefined);
    return listModels.read(record(answer));
  }

  async #send(method: string, params: JsonObject): Promise<void> {
    this.#o.facts.settings.replaced(record(await this.#o.ask(method, params))["configOptions"]);
  }

  #notOffered(name: SettingName, wanted: string): ReinsError {
    const offered = this.#o.facts.settings.waysTo(name).flatMap(({ choices }) => choices.map(({ id }) => id));
    const ids = [...new Set(offered)];
    const help = ids.length === 0 ? `It lists no ${name}s to choose from.` : `It has ${ids.slice(0, 20).join(", ")}.`;
    const code = name === "mode" || ids.length === 0 ? "unsupported" : "model_unknown";
    return new ReinsError(code, `${this.#o.name} has no ${name} ${wanted}.`, { agent: this.#o.agent, help });
  }
}

/** Title, commands, mode and model of a session. Changes become events. */
export class Facts {
  readonly settings = new Settings();
  /** The mode in Reins' terms. A mode of the agent may correspond to several of them. */
  mode: Mode;
  /** True after `session.started`, which reports all changes before it. */
  introduced = false;
  /** An approved plan lets the agent leave plan mode for a wider mode. */
  #planApproved = false;
  readonly #options: Pick<AcpOptions, "name" | "mode" | "quirks">;
  #title: string | undefined;
  #commands = "";

  constructor(options: Pick<AcpOptions, "name" | "mode" | "quirks">) {
    this.#options = options;
    this.mode = options.mode;
  }

  /** Returns false when the update is not about the session's facts. */
  update(kind: unknown, update: JsonObject, out: Out): boolean {
    switch (kind) {
      case "available_commands_update":
        this.#offered(records(update["availableCommands"]), out);
        return true;
      case "session_info_update": {
        const title = text(update["title"]);
        if (title === undefined || title === this.#title) return true;
        this.#title = title;
        out.push({ type: "session.updated", title, by: "agent" });
        return true;
      }
      case "current_mode_update":
        this.#changed(() => this.settings.chose("mode", text(update["currentModeId"]) ?? ""), out);
        return true;
      case "config_option_update":
        this.#changed(() => this.settings.replaced(update["configOptions"]), out);
        return true;
      default:
        return false;
    }
  }

  planApproved(): void {
    this.#planApproved = true;
  }

  #offered(items: readonly JsonObject[], out: Out): void {
    const commands = items.flatMap((item): { name: string; description?: string }[] => {
      const [name, description] = [text(item["name"]), text(item["description"])];
      if (name === undefined) return [];
      return [description === undefined ? { name } : { name, description }];
    });
    const names = commands.map(({ name }) => name).join("\n");
    if (names === this.#commands) return;
    this.#commands = names;
    out.push({ type: "session.updated", commands, by: "agent" });
  }

  #changed(change: () => void, out: Out): void {
    const before = this.#chosen();
    change();
    const now = this.#chosen();
    if (!this.introduced) return;
    const updated: AgentEventOf<"session.updated"> = { type: "session.updated", by: "agent" };
    if (now.model !== undefined && now.model !== before.model) updated.model = now.model;
    if (now.mode !== undefined && now.mode !== before.mode) this.#inMode(now.mode, updated, out);
    if (updated.model !== undefined || updated.nativeMode !== undefined) out.push(updated);
  }

  #chosen(): { mode: string | undefined; model: string | undefined } {
    return { mode: this.settings.current("mode")?.id, model: this.settings.current("model")?.id };
  }

  /**
   * Does not adopt a wider mode that the agent chose itself. Reins still judges the agent's requests by the narrower mode, but the agent
   * may ask less.
   */
  #inMode(nativeMode: string, updated: AgentEventOf<"session.updated">, out: Out): void {
    updated.nativeMode = nativeMode;
    const mode = this.#modeOf(nativeMode);
    if (mode === undefined) return;
    updated.mode = mode;
    const leavesPlan = this.mode === "plan" && this.#planApproved;
    this.#planApproved = false;
    if (leavesPlan || modes.indexOf(mode) <= modes.indexOf(this.mode)) {
      this.mode = mode;
      return;
    }
    const message = `${this.#options.name} switched itself to a more permissive mode (${nativeMode}); it may ask less often.`;
    out.push({ type: "notice", level: "warning", code: "divergence", message });
  }

  /** Returns the current mode if it matches, else the narrowest matching mode. */
  #modeOf(nativeMode: string): Mode | undefined {
    const own = this.#options.quirks.modes ?? {};
    const meant = modes.filter((mode) => own[mode]?.id === nativeMode);
    return meant.includes(this.mode) ? this.mode : meant.find((mode) => own[mode]?.chosenOnly !== true);
  }
}

/** True when the agent has a session capability. An empty object counts as yes. */
export function offers(capabilities: JsonObject, what: string): boolean {
  const offered = record(capabilities["sessionCapabilities"])[what];
  return offered !== undefined && offered !== null && offered !== false;
}

/** Methods that resume a session, the preferred first: `session/load` replays the whole conversation. */
export function waysToResume(capabilities: JsonObject): string[] {
  return [
    ...(offers(capabilities, "resume") ? ["session/resume"] : []),
    ...(capabilities["loadSession"] === true ? ["session/load"] : []),
  ];
}
