/** The contract: the one list of scenarios, the same for every agent. What each must look like stands in `expected.ts`. */
import { answers } from "./scenarios/answers.ts";
import { asking } from "./scenarios/asking.ts";
import { busy } from "./scenarios/busy.ts";
import { cancelling } from "./scenarios/cancelling.ts";
import { failures } from "./scenarios/failures.ts";
import { holds } from "./scenarios/holds.ts";
import { models } from "./scenarios/models.ts";
import { modes } from "./scenarios/modes.ts";
import { options } from "./scenarios/options.ts";
import { permissions } from "./scenarios/permissions.ts";
import { processes } from "./scenarios/processes.ts";
import { resuming } from "./scenarios/resuming.ts";
import { tools } from "./scenarios/tools.ts";
import type { ContractScenario } from "./types.ts";

export const contract: readonly ContractScenario[] = [
  ...answers,
  ...tools,
  ...permissions,
  ...asking,
  ...cancelling,
  ...busy,
  ...resuming,
  ...models,
  ...failures,
  ...processes,
  ...modes,
  ...options,
  ...holds,
];
