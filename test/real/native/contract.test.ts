/** The contract over the wire protocols that `test/contract/native.test.ts` leaves out. */
import { agentEntries } from "../../../src/agents/index.ts";
import { createReins } from "../../../src/index.ts";
import { openLivePlace } from "../../../src/testing/contract/live-place.ts";
import { contractTests } from "../../contract/contract-tests.ts";
import { dialects } from "./support/dialects.ts";

const entry = agentEntries.find(({ id }) => id === "native")!;

for (const proof of dialects.slice(1)) {
  // The capabilities depend on the configured service.
  await using reins = createReins({ guardian: false, env: proof.env("http://127.0.0.1:9") });
  const { capabilities } = await reins.agent(entry.id);
  const agent = `${entry.id} over ${proof.speaks}`;
  contractTests({ agent, capabilities, open: (scenario) => openLivePlace({ entry, proof, capabilities }, scenario) });
}
