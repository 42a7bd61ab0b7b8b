import { fileURLToPath } from "node:url";
import { familyOf } from "../../src/testing/contract/index.ts";
import { keptNames } from "../../src/testing/wire/archive.ts";

const contractOf = (agent: string, channel: string): string =>
  fileURLToPath(new URL(`../fixtures/${agent}/${["contract", channel].filter(Boolean).join("-")}`, import.meta.url));

/** The folder of an agent's recordings; each channel has a separate folder. */
export const recordingsOf = (agent: string, scenario: string, channel = ""): string =>
  `${contractOf(agent, channel)}/${familyOf(scenario)}.recordings/${scenario}`;

export const recordedScenarios = (agent: string, channel = ""): ReadonlySet<string> =>
  new Set(keptNames(contractOf(agent, channel)).map((name) => name.split("/")[1]!));
