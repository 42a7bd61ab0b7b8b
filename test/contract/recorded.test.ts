/** The contract with the recordings of every agent: the same scenarios and the same table, without a program. */
import { agentEntries } from "../../src/agents/index.ts";
import { createReins } from "../../src/index.ts";
import { contract } from "../../src/testing/contract/index.ts";
import { openReplayPlace } from "./replay-place.ts";
import { allProofs } from "../../src/testing/proofs.ts";
import { channelsOf } from "./channels.ts";
import { contractTests } from "./contract-tests.ts";
import { GoldenLog } from "./golden.ts";
import { recordedScenarios, recordingsOf } from "./recordings-of.ts";

for (const { id, proof } of await allProofs())
  for (const { name: channel, env } of channelsOf(id)) {
    const recorded = recordedScenarios(id, channel);
    const scenarios = contract.filter(({ id: name, notRecorded }) => notRecorded === undefined && recorded.has(name));
    if (scenarios.length === 0) continue;
    await using reins = createReins({ guardian: false, env });
    const { capabilities } = await reins.agent(id);
    const entry = agentEntries.find((one) => one.id === id)!;
    const agent = [id, channel].filter(Boolean).join(" over ");
    contractTests({
      agent,
      golden: new GoldenLog(agent),
      capabilities,
      scenarios,
      open: ({ id: name }) =>
        openReplayPlace({ entry, proof, capabilities, env, folder: recordingsOf(id, name, channel) }),
      // Only proven scenarios are recorded, so a replay that proves nothing is broken.
      onResult: ({ state, sentence }) => {
        if (state === "not_provable") throw new Error(sentence);
      },
    });
  }
