/** The contract, on what was recorded of every agent: the same scenarios and the same table, without a program. */
import { existsSync, readdirSync } from "node:fs";
import { agentEntries } from "../../src/agents/index.ts";
import { createReins } from "../../src/index.ts";
import { contract } from "../../src/testing/contract/index.ts";
import { openReplayPlace } from "../../src/testing/contract/replay-place.ts";
import { allProofs } from "../../src/testing/proofs.ts";
import { channelsOf } from "./channels.ts";
import { contractTests } from "./contract-tests.ts";
import { recordingsOf } from "./recordings-of.ts";

for (const { id, proof } of await allProofs())
  for (const { name: channel, env } of channelsOf(id)) {
    const kept = recordingsOf(id, "", channel);
    const recorded = existsSync(kept) ? readdirSync(kept) : [];
    const scenarios = contract.filter(
      ({ id: name, notRecorded }) => notRecorded === undefined && recorded.includes(name),
    );
    if (scenarios.length === 0) continue;
    await using reins = createReins({ guardian: false, env });
    const { capabilities } = await reins.agent(id);
    const entry = agentEntries.find((one) => one.id === id)!;
    contractTests({
      agent: [id, channel].filter(Boolean).join(" over "),
      capabilities,
      scenarios,
      open: ({ id: name }) =>
        openReplayPlace({ entry, proof, capabilities, env, folder: recordingsOf(id, name, channel) }),
      // Only what was proven is recorded, so a replay that shows nothing is a replay that is broken.
      onResult: ({ state, sentence }) => {
        if (state === "not_provable") throw new Error(sentence);
      },
    });
  }
