/** Prices and context sizes of models, from the generated list. */
import { listText } from "./model-list.generated.ts";
import { spelled } from "./model-name.ts";

interface Price {
  readonly input: number;
  readonly output: number;
  /** 0 when the maker has no price for it. */
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export interface ListedModel {
  readonly price: Price | undefined;
  readonly contextSize: number;
}

let rows: ReadonlyMap<string, ListedModel> | undefined;

/** Finds a model by `model` or `maker/model`. */
export function listedModel(name: string): ListedModel | undefined {
  rows ??= new Map(listText.trim().split("\n").flatMap(rowsOf));
  return rows.get(spelled(name));
}

function rowsOf(line: string): [string, ListedModel][] {
  const [name = "", ...figures] = line.split(" ");
  const [input = 0, output = 0, cacheRead = 0, cacheWrite = 0, contextSize = 0] = figures.map(Number);
  const price = input + output > 0 ? { input, output, cacheRead, cacheWrite } : undefined;
  const key = spelled(name);
  return [key, key.slice(key.indexOf("/") + 1)].map((id) => [id, { price, contextSize }]);
}
