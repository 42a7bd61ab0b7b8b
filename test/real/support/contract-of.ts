/**
 * The contract of one agent, on its real program. With REINS_RECORD=1 the wire of every scenario that is proven becomes a fixture,
 * which `test/contract/recorded.test.ts` plays again.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { agentEntries } from "../../../src/agents/index.ts";
import { createReins } from "../../../src/index.ts";
import { openLivePlace, type LivePlaceOptions } from "../../../src/testing/contract/live-place.ts";
import { keepRecordings } from "../../../src/testing/contract/recordings.ts";
import type { ContractScenario, Place } from "../../../src/testing/contract/types.ts";
import { proofOf } from "../../../src/testing/proofs.ts";
import { recordAgent } from "../../../src/testing/wire/agents.ts";
import { contractTests } from "../../contract/contract-tests.ts";
import { recordingsOf } from "../../contract/recordings-of.ts";
import { logTails } from "./log-tails.ts";
import { programOf } from "./program.ts";

export async function contractOf(agent: string): Promise<void> {
  const entry = agentEntries.find(({ id }) => id === agent)!;
  const proof = await proofOf(agent);
  await using reins = createReins({ guardian: false, env: {} });
  const { capabilities } = await reins.agent(agent);
  const command = proof.install === undefined ? undefined : programOf(proof);
  const options: LivePlaceOptions = { entry, proof, capabilities, command };
  const records = process.env["REINS_RECORD"] === "1";
  const logs = new Map<string, string>();
  contractTests({
    agent,
    capabilities,
    open: async (scenario) => {
      const keeps = records && scenario.notRecorded === undefined;
      const place = await (keeps ? recorded(options, scenario) : openLivePlace(options, scenario));
      return {
        ...place,
        clear: (proven) => {
          if (!proven && place.home !== undefined) logs.set(scenario.id, logTails(place.home));
          return place.clear(proven);
        },
      };
    },
    onResult: ({ scenario, state }) => {
      if (state === "failed") console.error(`The logs of ${agent} in ${scenario}:\n${logs.get(scenario) ?? ""}`);
    },
  });
}

async function recorded(options: LivePlaceOptions, scenario: ContractScenario): Promise<Place> {
  const recordings = mkdtempSync(join(tmpdir(), "reins-recording-"));
  let count = 0;
  const marks: ((name: string) => void)[] = [];
  const wrap: LivePlaceOptions["wrap"] = (entry) =>
    recordAgent(entry, join(recordings, String(++count).padStart(2, "0")), { onChild: (mark) => marks.push(mark) });
  const place = await openLivePlace({ ...options, wrap }, scenario);
  const { cwd, home = "" } = place;
  const root = process.cwd();
  const cache = process.env["REINS_AGENT_CACHE"] ?? root;
  return {
    ...place,
    release(gate) {
      marks.at(-1)?.(gate);
      place.release(gate);
    },
    async clear(proven) {
      if (proven)
        await keepRecordings(recordings, recordingsOf(place.agent, scenario.id), {
          cwd,
          home,
          root,
          cache,
          folder: dirname(cwd),
        });
      rmSync(recordings, { recursive: true, force: true });
      await place.clear(proven);
    },
  };
}
