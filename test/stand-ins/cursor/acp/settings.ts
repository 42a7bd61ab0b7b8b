/** The settings of a session: its mode and its model, reported in two ways. */
import { models, type Model } from "../models.ts";
import type { Mode } from "../seat.ts";

export const modes: readonly { readonly id: Mode; readonly name: string; readonly description: string }[] = [
  { id: "agent", name: "Agent", description: "Full agent capabilities with tool access" },
  { id: "plan", name: "Plan", description: "Read-only mode for planning" },
  { id: "ask", name: "Ask", description: "Read-only mode for questions" },
];

export function settingsOf(mode: Mode, model: Model): object {
  return {
    modes: { currentModeId: mode, availableModes: modes },
    models: {
      currentModelId: model.spelled,
      availableModels: models.map(({ spelled, label }) => ({ modelId: spelled, name: label })),
    },
    configOptions: configOptions(mode, model),
  };
}

export const configOptions = (mode: Mode, model: Model): object[] => [
  {
    id: "mode",
    name: "Mode",
    category: "mode",
    type: "select",
    currentValue: mode,
    options: modes.map(({ id, name }) => ({ value: id, name })),
  },
  {
    id: "model",
    name: "Model",
    category: "model",
    type: "select",
    currentValue: model.spelled,
    options: models.map(({ spelled, label }) => ({ value: spelled, name: label })),
  },
];

export const availableModels = (): object => ({
  models: models.map(({ spelled, label }) => ({ value: spelled, name: label, configOptions: [] })),
});
