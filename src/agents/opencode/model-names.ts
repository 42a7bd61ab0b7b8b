/** Which model of which service a name means. */
import { isRecord, number, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { ModelInfo } from "../contract.ts";

export interface OwnModel {
  readonly providerID: string;
  readonly modelID: string;
  /** How hard it thinks, where that was named. */
  readonly variant?: string | undefined;
}

export const nameOf = ({ providerID, modelID }: OwnModel): string => `${providerID}/${modelID}`;

/** The answer to `GET /config/providers`. */
export class Catalog {
  readonly #models = new Map<string, { own: OwnModel; model: Wire; provider: Wire }>();
  /** Each service's own choice, where nobody names one. */
  readonly #defaults: Wire;

  constructor(answer: unknown) {
    const { providers, default: defaults } = record(answer);
    this.#defaults = record(defaults);
    for (const provider of Array.isArray(providers) ? providers.filter(isRecord) : []) {
      const providerID = text(provider["id"]);
      if (providerID === undefined) continue;
      for (const [modelID, model] of Object.entries(record(provider["models"])))
        this.#models.set(`${providerID}/${modelID}`, { own: { providerID, modelID }, model: record(model), provider });
    }
  }

  /** `service/model`, a model that one service alone has, either with `:variant`; undefined where it is none. */
  find(name: string): OwnModel | undefined {
    const whole = this.#models.get(name) ?? this.#only(name);
    if (whole !== undefined) return whole.own;
    const colon = name.lastIndexOf(":");
    const found = colon <= 0 ? undefined : (this.#models.get(name.slice(0, colon)) ?? this.#only(name.slice(0, colon)));
    const variant = name.slice(colon + 1);
    if (found === undefined || !Object.hasOwn(record(found.model["variants"]), variant)) return undefined;
    return { ...found.own, variant };
  }

  #only(modelID: string) {
    const found = [...this.#models.values()].filter(({ own }) => own.modelID === modelID);
    return found.length === 1 ? found[0] : undefined;
  }

  /** Tokens that fit, by model. */
  get contextSizes(): Map<string, number> {
    const sizes = new Map<string, number>();
    for (const [name, { model }] of this.#models) {
      const size = number(record(model["limit"])["context"]);
      if (size !== undefined && size > 0) sizes.set(name, size);
    }
    return sizes;
  }

  labelOf(name: string): string | undefined {
    return text(this.#models.get(name)?.model["name"]);
  }

  /** `current` is the one in its settings. */
  list(current: string | undefined): ModelInfo[] {
    return [...this.#models].map(([id, { own, model, provider }]): ModelInfo => {
      const variants = Object.keys(record(model["variants"]));
      const thinks = record(model["capabilities"])["reasoning"] === true;
      return {
        id,
        label: text(model["name"]),
        provider: text(provider["name"]) ?? own.providerID,
        default: this.#defaults[own.providerID] === own.modelID ? true : undefined,
        current: id === current ? true : undefined,
        thinking: thinks ? (variants.length > 0 ? variants : true) : false,
        contextSize: number(record(model["limit"])["context"]),
      };
    });
  }
}
