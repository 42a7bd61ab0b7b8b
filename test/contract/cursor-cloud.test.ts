/** A part of the contract of cloud agents; `npm run test:real` runs all of it. */
import { createReins } from "../../src/index.ts";
import { contract } from "../../src/testing/contract/index.ts";
import { openCloudPlace } from "../support/cloud-place.ts";
import { contractTests } from "./contract-tests.ts";

const some: ReadonlySet<string> = new Set(["text", "write", "cancel-in-tool", "resume", "resume-unknown", "error-500"]);

const agent = "cursor-cloud";
await using reins = createReins({ guardian: false, env: {} });
const { capabilities } = await reins.agent(agent);
contractTests({
  agent,
  capabilities,
  scenarios: contract.filter(({ id }) => some.has(id)),
  open: (scenario) => openCloudPlace(capabilities, scenario),
});
