/** The contract as vitest tests, one a scenario. What is not declared or not provable is skipped, and says why. */
import { describe, test } from "vitest";
import type { Capabilities } from "../../src/events/capabilities.ts";
import { contract } from "../../src/testing/contract/index.ts";
import { type OpenPlace, runScenario } from "../../src/testing/contract/run.ts";
import type { ContractResult, ContractScenario } from "../../src/testing/contract/types.ts";

export interface ContractTests {
  readonly agent: string;
  readonly capabilities: Capabilities;
  readonly open: OpenPlace;
  readonly scenarios?: readonly ContractScenario[];
  readonly onResult?: (result: ContractResult) => void;
}

export function contractTests({ agent, capabilities, open, scenarios = contract, onResult }: ContractTests): void {
  describe.concurrent(`the contract of ${agent}`, () => {
    for (const scenario of scenarios)
      test(`${scenario.id}: it ${scenario.title}`, async ({ skip }) => {
        const result = await runScenario(scenario, capabilities, open);
        onResult?.(result);
        if (result.state === "failed") throw new Error(result.sentence);
        if (result.state !== "proven") skip(result.sentence ?? "It is not declared.");
      });
  });
}
