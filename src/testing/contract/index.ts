/** The contract: one list of scenarios for all agents. `expected.ts` has the expected events of each. */
import { answers, failures } from "./scenarios/answers.ts";
import { asking, permissions } from "./scenarios/permissions.ts";
import { busy, cancelling, processes } from "./scenarios/cancelling.ts";
import { holds } from "./scenarios/holds.ts";
import { models } from "./scenarios/models.ts";
import { modes } from "./scenarios/modes.ts";
import { options } from "./scenarios/options.ts";
import { resuming } from "./scenarios/resuming.ts";
import { tools } from "./scenarios/tools.ts";
import type { ContractScenario } from "./types.ts";

/** Groups of scenarios. The recordings of a group are kept in one file. */
const families: Readonly<Record<string, readonly ContractScenario[]>> = {
  answers,
  tools,
  permissions,
  asking,
  cancelling,
  busy,
  resuming,
  models,
  failures,
  processes,
  modes,
  options,
  holds,
};

/** All scenarios of the contract, the same for every agent. Run them with `runContract`. */
export const contract: readonly ContractScenario[] = Object.values(families).flat();

export function familyOf(scenario: string): string {
  const family = Object.entries(families).find(([, scenarios]) => scenarios.some(({ id }) => id === scenario));
  if (family === undefined) throw new Error(`There is no scenario ${scenario}.`);
  return family[0];
}
