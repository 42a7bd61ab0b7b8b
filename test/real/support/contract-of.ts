/**
 * The contract of one agent with its real program. With REINS_RECORD=1 the wire of every proven scenario becomes a fixture, which
 * `test/contract/recorded.test.ts` replays. With REINS_REAL_<AGENT>=1 it runs the program on the PATH with a live model, as far as prompts
 * in plain words can test it.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { agentEntries } from "../../../src/agents/index.ts";
import { createReins } from "../../../src/index.ts";
import { NotProvable } from "../../../src/testing/contract/check.ts";
import { openLivePlace, type LivePlaceOptions } from "../../../src/testing/contract/live-place.ts";
import { keepRecordings } from "../../contract/recordings.ts";
import type { ContractScenario, Place } from "../../../src/testing/contract/types.ts";
import { proofOf } from "../../../src/testing/proofs.ts";
import { recordAgent } from "../../../src/testing/wire/replay.ts";
import { channelsOf } from "../../contract/channels.ts";
import { contractTests } from "../../contract/contract-tests.ts";
import { recordingsOf } from "../../contract/recordings-of.ts";
import { compiled } from "./compiled.ts";
import { logTails } from "./log-tails.ts";
import { programOf } from "./program.ts";
import { isSpoken, openSpokenPlace } from "./spoken-place.ts";

export interface ContractOfOptions {
  /** The channel to test, when it has several. */
  readonly channel?: string | undefined;
  /** The program, when none can be installed. */
  readonly command?: string | undefined;
  readonly processATurn?: boolean | undefined;
  readonly spokenEnv?: Readonly<Record<string, string>> | undefined;
  /** Why a live run skips this contract. */
  readonly notSpoken?: string | undefined;
}

export async function contractOf(agent: string, given: ContractOfOptions = {}): Promise<void> {
  const { channel, processATurn } = given;
  const entry = agentEntries.find(({ id }) => id === agent)!;
  const proof = await proofOf(agent);
  const { env } = channelsOf(agent).find(({ name }) => name === channel)!;
  await using reins = createReins({ guardian: false, env });
  const { capabilities } = await reins.agent(agent);
  const command = given.command ?? (proof.install === undefined ? undefined : programOf(proof));
  const options: LivePlaceOptions = { entry, proof, capabilities, command, processATurn, env: { ...env, ...compiled } };
  const records = process.env["REINS_RECORD"] === "1";
  const logs = new Map<string, string>();
  contractTests({
    agent: [agent, channel].filter(Boolean).join(" over "),
    capabilities,
    open: async (scenario) => {
      if (isSpoken(agent) && given.notSpoken !== undefined) throw new NotProvable(given.notSpoken);
      if (isSpoken(agent)) return openSpokenPlace({ ...options, env: { ...env, ...given.spokenEnv } });
      const keeps = records && scenario.notRecorded === undefined;
      const place = await (keeps ? recorded(options, scenario, channel) : openLivePlace(options, scenario));
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

async function recorded(options: LivePlaceOptions, scenario: ContractScenario, channel?: string): Promise<Place> {
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
        await keepRecordings(recordings, recordingsOf(place.agent, scenario.id, channel), {
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
