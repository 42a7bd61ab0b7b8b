/** The contract, on what was recorded of every agent: the same scenarios and the same table, without a program. */
import { existsSync, readdirSync } from "node:fs";
import { agentEntries } from "../../src/agents/index.ts";
import { createReins } from "../../src/index.ts";
import { contract } from "../../src/testing/contract/index.ts";
import { openReplayPlace } from "../../src/testing/contract/replay-place.ts";
import { allProofs } from "../../src/testing/proofs.ts";
import { contractTests } from "./contract-tests.ts";
import { recordingsOf } from "./recordings-of.ts";

await using reins = createReins({ guardian: false, env: {} });

for (const { id, proof } of await allProofs()) {
  const recorded = existsSync(recordingsOf(id)) ? readdirSync(recordingsOf(id)) : [];
  const scenarios = contract.filter(
    ({ id: name, notRecorded }) => notRecorded === undefined && recorded.includes(name),
  );
  if (scenarios.length === 0) continue;
  const { capabilities } = await reins.agent(id);
  const entry = agentEntries.find((one) => one.id === id)!;
  contractTests({
    agent: id,
    capabilities,
    scenarios,
    open: (scenario) => openReplayPlace({ entry, proof, capabilities, folder: recordingsOf(id, scenario.id) }),
    // Only what was proven is recorded, so a replay that shows nothing is a replay that is broken.
    onResult: ({ state, sentence }) => {
      if (state === "not_provable") throw new Error(sentence);
    },
  });
}
