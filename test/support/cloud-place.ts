/** A place of the contract for agents in the cloud: the service stands in for the real one, and works in the folder of the scenario. */
import { agentEntries } from "../../src/agents/index.ts";
import { proof } from "../../src/agents/cursor-cloud/proof.ts";
import type { Capabilities } from "../../src/events/capabilities.ts";
import { NotProvable } from "../../src/testing/contract/check.ts";
import { openLivePlace } from "../../src/testing/contract/live-place.ts";
import type { ContractScenario, Place } from "../../src/testing/contract/types.ts";
import { startCloudApi } from "../../src/testing/stand-ins/cursor-cloud/index.ts";
import { isSpoken } from "../real/support/spoken-place.ts";

const agent = "cursor-cloud";
/** Whoever asks for the real one must not take what stands in for it as proof. */
export const notLive =
  "Nothing is proven on the real service: the contract is only held against one that stands in for it.";

export async function openCloudPlace(
  capabilities: Capabilities,
  scenario: ContractScenario,
  env: Readonly<Record<string, string>> = {},
): Promise<Place> {
  if (isSpoken(agent)) throw new NotProvable(notLive);
  const entry = agentEntries.find(({ id }) => id === agent)!;
  const api = await startCloudApi();
  let modelUrl = "";
  const place = await openLivePlace(
    {
      entry,
      capabilities,
      env,
      proof: {
        ...proof,
        env: (url) => {
          modelUrl = url;
          return proof.env(api.url);
        },
      },
    },
    scenario,
  );
  api.connect({ modelUrl, cwd: place.cwd });
  return {
    ...place,
    // It works elsewhere: nobody looks for what changed here unreported.
    isRepository: false,
    forget: () => void api.forget(),
    async clear(proven) {
      await api.close();
      await place.clear(proven);
    },
  };
}
