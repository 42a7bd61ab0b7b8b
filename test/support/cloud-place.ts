/** A place of the contract for cloud agents: the stand-in service works in the folder of the scenario. */
import { agentEntries } from "../../src/agents/index.ts";
import { proof } from "../../src/agents/cursor-cloud/proof.ts";
import type { Capabilities } from "../../src/events/capabilities.ts";
import { NotProvable } from "../../src/testing/contract/check.ts";
import { openLivePlace } from "../../src/testing/contract/live-place.ts";
import type { ContractScenario, Place } from "../../src/testing/contract/types.ts";
import type { Fault } from "../stand-ins/cursor-cloud/faults.ts";
import { startCloudApi } from "../stand-ins/cursor-cloud/index.ts";
import { isSpoken } from "../real/support/spoken-place.ts";

const agent = "cursor-cloud";
/** The reason why a run against the real service proves nothing: only the stand-in is available. */
export const notLive =
  "Nothing is proven on the real service: the contract is only held against one that stands in for it.";

/** By cause of the failure matrix. */
const refusals: Readonly<Record<string, Fault["answer"]>> = {
  "bad-request": { status: 400, body: { error: "Bad Request", message: "The request is invalid." } },
  unauthorized: { status: 401, body: { error: "Unauthorized", message: "Invalid API key" } },
  payment: { status: 402 },
  "payment-body": { status: 402, body: { error: "Payment Required", message: "Payment required." } },
  forbidden: { status: 403, body: { error: "Forbidden", message: "Access denied." } },
  "too-large": { status: 413 },
  rate: { status: 429, headers: { "retry-after": "2" }, body: { code: "error", message: "Rate limit exceeded" } },
  "quota-plain": { status: 429, body: { code: "error", message: "You have used up your monthly quota." } },
  "server-error": { status: 500 },
  unavailable: { status: 503 },
  "gateway-timeout": { status: 504 },
  overloaded: { status: 529 },
  garbage: { status: 200, body: "<!doctype html><title>Sign in to the network</title>" },
  reset: "destroy",
};

export async function openCloudPlace(
  capabilities: Capabilities,
  scenario: ContractScenario,
  env: Readonly<Record<string, string>> = {},
  /** Changes the address of the service, so that it is not reached. */
  address: (url: string) => string = (url) => url,
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
          return proof.env(address(api.url));
        },
      },
    },
    scenario,
  );
  api.connect({ modelUrl, cwd: place.cwd });
  return {
    ...place,
    // The agent works elsewhere, so no local change is searched.
    isRepository: false,
    forget: () => void api.forget(),
    // The service itself refuses a prompt: its traffic with a model is not visible from here.
    async fail(cause) {
      if (cause === "refused") await api.refuse();
      const answer = refusals[cause];
      if (answer !== undefined) api.faults.add({ method: "POST", path: /\/agents$|\/runs$/, times: 99, answer });
      return async () => {
        api.faults.clear();
        if (cause === "refused") await api.listen();
      };
    },
    async clear(proven) {
      await api.close();
      await place.clear(proven);
    },
  };
}
