/** Choosing a mode or a model of the agent's. */
import { ReinsError } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import { refusalOf, rpcErrors } from "../json-rpc/index.ts";
import type { Facts } from "./facts.ts";
import { record } from "./read.ts";
import type { Wire } from "./read.ts";
import { meant, setOption } from "./settings.ts";
import type { Choice, SettingName } from "./settings.ts";
import type { AcpOptions } from "./types.ts";

export interface ChoosingOptions extends Pick<AcpOptions, "name" | "agent" | "quirks"> {
  readonly facts: Facts;
  /** A request about this session. */
  readonly ask: (method: string, params: Wire) => Promise<unknown>;
}

export class Choosing {
  readonly #o: ChoosingOptions;

  constructor(options: ChoosingOptions) {
    this.#o = options;
  }

  /** The model a session begins with. An agent that lists none is left as it is; the sentence says so. */
  async firstModel(model: string): Promise<string[]> {
    if (this.#o.quirks.unlistedModels !== true && this.#o.facts.settings.waysTo("model").length === 0)
      return [`${this.#o.name} lists no models to choose from; it goes on with its own.`];
    await this.model(model);
    return [];
  }

  model(model: string): Promise<void> {
    return this.#choose("model", model);
  }

  /** Where the agent has no mode for it, what it asks is judged by ours all the same. */
  async mode(mode: Mode): Promise<void> {
    const { facts, quirks } = this.#o;
    const own = quirks.modes?.[mode];
    const before = facts.mode;
    // First, because it may report its new mode before it answers.
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
    // It was started with it.
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
        // Listed in the newer way and taken only in the older.
        if (refusalOf(error)?.code !== rpcErrors.methodNotFound || index === ways.length - 1) throw error;
      }
    }
    settings.chose(name, chosen.id);
  }

  async #meant(name: SettingName, wanted: string): Promise<Pick<Choice, "id"> | undefined> {
    const { facts, quirks } = this.#o;
    const lists = facts.settings.waysTo(name).map((way) => way.choices);
    // One list after the other: in both together every name would stand twice, and mean nothing for sure.
    if (name === "mode" || quirks.model === undefined) return lists.flatMap((list) => meant(wanted, list) ?? [])[0];
    const choices = lists.flat();
    const current = facts.settings.current("model")?.id;
    const id = quirks.model(wanted, choices, current) ?? quirks.model(wanted, await this.#further(), undefined);
    return id === undefined ? undefined : { id };
  }

  /** What it lists when it is asked. */
  async #further(): Promise<readonly Choice[]> {
    const { listModels } = this.#o.quirks;
    if (listModels === undefined) return [];
    const answer = await this.#o.ask(listModels.method, {}).catch(() => undefined);
    return listModels.read(record(answer));
  }

  async #send(method: string, params: Wire): Promise<void> {
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
