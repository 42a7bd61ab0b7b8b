/** The contract over the wires that `test/contract/native.test.ts` leaves out. */
import { agentEntries } from "../../../src/agents/index.ts";
import { createReins } from "../../../src/index.ts";
import { openLivePlace } from "../../../src/testing/contract/live-place.ts";
import { contractTests } from "../../contract/contract-tests.ts";
import { dialects } from "./support/dialects.ts";

const entry = agentEntries.find(({ id }) => id === "native")!;
await using reins = createReins({ guardian: false, env: {} });
const declared = (await reins.agent(entry.id)).capabilities;

for (const proof of dialects.slice(1)) {
  // A compatible service may have a model of any name: only asking it tells.
  const capabilities = { ...declared, knowsModels: proof.speaks !== "openai-chat" };
  const agent = `${entry.id} over ${proof.speaks}`;
  contractTests({ agent, capabilities, open: (scenario) => openLivePlace({ entry, proof, capabilities }, scenario) });
}
