/** The contract with Reins's own agent and a scripted model. No third-party program runs. */
import { agentEntries } from "../../src/agents/index.ts";
import { createReins } from "../../src/index.ts";
import { openLivePlace } from "../../src/testing/contract/live-place.ts";
import { proofOf } from "../../src/testing/proofs.ts";
import { contractTests, patientDeadlines } from "./contract-tests.ts";
import { GoldenLog } from "./golden.ts";

const agent = "native";
const entry = agentEntries.find(({ id }) => id === agent)!;
const proof = await proofOf(agent);
await using reins = createReins({ guardian: false, env: {} });
const { capabilities } = await reins.agent(agent);
contractTests({
  agent,
  capabilities,
  golden: new GoldenLog(agent),
  async open(scenario) {
    const place = await openLivePlace({ entry, proof, capabilities }, scenario);
    return { ...place, reins: (given) => place.reins({ deadlines: patientDeadlines, ...given }) };
  },
});
