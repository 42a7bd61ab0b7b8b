/** The contract against the stand-in service. No real address is ever called. */
import { createReins } from "../../../src/index.ts";
import { contractTests } from "../../contract/contract-tests.ts";
import { notLive, openCloudPlace } from "../../support/cloud-place.ts";
import { isSpoken } from "../support/spoken-place.ts";

const agent = "cursor-cloud";
// Vitest shows no reasons when all tests of a file are skipped, so print it.
if (isSpoken(agent)) process.stderr.write(`${notLive}\n`);
await using reins = createReins({ guardian: false, env: {} });
const { capabilities } = await reins.agent(agent);
contractTests({ agent, capabilities, open: (scenario) => openCloudPlace(capabilities, scenario) });
