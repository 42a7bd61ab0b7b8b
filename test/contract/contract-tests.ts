/**
 * The contract as vitest tests, one per scenario, each compared with its golden log if there is one. Scenarios that are not declared or not
 * provable are skipped with a reason.
 */
import { afterAll, describe, expect, test } from "vitest";
import type { Capabilities } from "../../src/events/capabilities.ts";
import { contract } from "../../src/testing/contract/index.ts";
import { type OpenPlace, runScenario } from "../../src/testing/contract/run.ts";
import type { Stage } from "../../src/testing/contract/stage.ts";
import type { ContractResult, ContractScenario } from "../../src/testing/contract/types.ts";
import { type GoldenLog, logOf } from "./golden.ts";

/** For agents without a process: on a busy machine ten seconds are too short to tell a slow cancel from a hanging one. */
export const patientDeadlines = { cancel: 60_000 };

export interface ContractTests {
  readonly agent: string;
  readonly capabilities: Capabilities;
  readonly open: OpenPlace;
  readonly scenarios?: readonly ContractScenario[];
  /** The log every event is compared with; real programs have none. */
  readonly golden?: GoldenLog;
  readonly onResult?: (result: ContractResult) => void;
}

export function contractTests(tests: ContractTests): void {
  const { agent, capabilities, open, scenarios = contract, golden, onResult } = tests;
  describe.concurrent(`the contract of ${agent}`, () => {
    for (const scenario of scenarios)
      test(`${scenario.id}: it ${scenario.title}`, async ({ skip }) => {
        let stage: Stage | undefined;
        const run = (given: Stage): Promise<void> => scenario.run((stage = given));
        const result = await runScenario({ ...scenario, run }, capabilities, open);
        onResult?.(result);
        if (result.state === "failed") throw new Error(result.sentence);
        const said = stage === undefined || result.state === "not_provable" ? "" : logOf(stage);
        if (golden !== undefined)
          expect(said, "The events are not those of the golden log").toBe(golden.of(scenario.id, said));
        if (result.state !== "proven") skip(result.sentence ?? "It is not declared.");
      });

    if (golden === undefined) return;
    const ids = scenarios.map(({ id }) => id);
    test.skipIf(golden.isUpdated)("the golden log has only scenarios that are run", () => {
      expect(golden.scenarios.filter((id) => !ids.includes(id))).toEqual([]);
    });
    afterAll(() => {
      if (golden.isUpdated) golden.write(ids);
    });
  });
}
