import type { CapabilityRow, ContractResult } from "../contract/types.ts";

/** A capability that the agent declares and does not hold. */
export interface Drift {
  readonly capability: CapabilityRow;
  /** What went wrong in each scenario about it. */
  readonly sentences: readonly string[];
}

/** `always` among them: what no agent has to declare and every agent must do. */
export function driftIn(results: readonly ContractResult[]): readonly Drift[] {
  const broken = results.filter(({ state, declared }) => state === "failed" && declared);
  const rows = new Set(broken.flatMap(({ capabilities }) => capabilities));
  return [...rows].map((capability) => ({
    capability,
    sentences: broken
      .filter(({ capabilities }) => capabilities.includes(capability))
      .map(({ scenario, sentence = "It did not hold." }) => `${scenario}: ${sentence}`),
  }));
}
