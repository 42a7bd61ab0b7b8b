/** The contract of one agent, on its real program. */
import { agentEntries } from "../../../src/agents/index.ts";
import { createReins } from "../../../src/index.ts";
import { openLivePlace } from "../../../src/testing/contract/live-place.ts";
import { proofOf } from "../../../src/testing/proofs.ts";
import { contractTests } from "../../contract/contract-tests.ts";
import { programOf } from "./program.ts";

export async function contractOf(agent: string): Promise<void> {
  const entry = agentEntries.find(({ id }) => id === agent)!;
  const proof = await proofOf(agent);
  await using reins = createReins({ guardian: false, env: {} });
  const { capabilities } = await reins.agent(agent);
  const command = programOf(proof);
  contractTests({
    agent,
    capabilities,
    open: (scenario) => openLivePlace({ entry, proof, capabilities, command }, scenario),
  });
}
