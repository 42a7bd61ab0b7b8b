import { ReinsError } from "../../events/errors.ts";
import type { ModelInfo } from "../contract.ts";

/** Of the grammar. */
export const demoVersion = "1";

const model = "scripted";

export const models: readonly ModelInfo[] = [
  { id: model, label: "Scripted", description: "No model: it does what the prompt says.", default: true },
];

/** The model's name, whether it was said or not. */
export function knownModel(name: string | undefined): string {
  if (name === undefined || name === model) return model;
  throw new ReinsError("model_unknown", `The demo agent has no model ${name}.`, {
    agent: "demo",
    help: `Leave the model out, or use ${model}.`,
  });
}
