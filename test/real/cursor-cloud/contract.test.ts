/** The contract, against the service that stands in for the real one. Nobody's real address is ever called. */
import { createReins } from "../../../src/index.ts";
import { contractTests } from "../../contract/contract-tests.ts";
import { notLive, openCloudPlace } from "../../support/cloud-place.ts";
import { isSpoken } from "../support/spoken-place.ts";

const agent = "cursor-cloud";
// Why each is skipped is not shown where all of them are.
if (isSpoken(agent)) process.stderr.write(`${notLive}\n`);
await using reins = createReins({ guardian: false, env: {} });
const { capabilities } = await reins.agent(agent);
contractTests({ agent, capabilities, open: (scenario) => openCloudPlace(capabilities, scenario) });
