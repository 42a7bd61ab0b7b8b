/** The standard scenarios: every scripted model knows them. */
import type { Scenario } from "../scenario.ts";
import { answers } from "./answers.ts";
import { failures } from "./failures.ts";
import { tools } from "./tools.ts";

export const standardScenarios: readonly Scenario[] = [...answers, ...tools, ...failures];
