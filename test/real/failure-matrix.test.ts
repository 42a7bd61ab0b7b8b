/**
 * Every cause of failure on the real programs: the same code, retryable flag and reset time on all of them, or a reason in the agent's
 * data. One warm agent runs most causes. With REINS_RECORD=1 the results and the wire become the fixtures that
 * `test/contract/failure-matrix.test.ts` replays. One agent alone: `npm run test:real -- test/real/failure-matrix.test.ts -t " codex "`.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agentEntries } from "../../src/agents/index.ts";
import { causes, type Cause } from "../../src/agents/shared/failures/causes.ts";
import type { FailureData } from "../../src/agents/shared/failures/classify.ts";
import { createReins } from "../../src/index.ts";
import { asExpected, causesOf, runCause, type CauseFamily, type CauseResult } from "../contract/failure-causes.ts";
import { openLivePlace } from "../../src/testing/contract/live-place.ts";
import { hiddenRecordings } from "../contract/recordings.ts";
import { Stage } from "../../src/testing/contract/stage.ts";
import { proofOf } from "../../src/testing/proofs.ts";
import { recordAgent } from "../../src/testing/wire/replay.ts";
import type { Recording } from "../../src/testing/wire/record.ts";
import { cursorStandIn } from "../stand-ins/cursor/stand-in.ts";
import { openCloudPlace } from "../support/cloud-place.ts";
import {
  failuresFile,
  families,
  matrixAgents,
  matrixEnv,
  shortTimeouts,
  standIns,
  steady,
} from "../support/failure-matrix.ts";
import { badCertificate } from "./support/bad-certificate.ts";
import { compiled } from "./support/compiled.ts";
import { programOf } from "./support/program.ts";

let untrusted: Awaited<ReturnType<typeof badCertificate>>;
beforeAll(async () => void (untrusted = await badCertificate()));
afterAll(() => untrusted.close());

const addresses: Readonly<Record<CauseFamily, ((url: string) => string) | undefined>> = {
  service: undefined,
  dns: () => "http://no-such-host.invalid",
  tls: () => untrusted.url,
};

/** The cloud service is called over https only. */
function overHttps(address: ((url: string) => string) | undefined): typeof address {
  return address && ((url) => address(url).replace(/^http:/, "https:"));
}

/** Leaves out a timeout that the agent declares to wait for forever, and everything that a stand-in declares as different. */
function tried(family: CauseFamily, { agent, differs }: FailureData): readonly Cause[] {
  const waits = differs?.timeout !== undefined && shortTimeouts[agent] === undefined;
  const unknown = (cause: Cause): boolean => standIns.has(agent) && differs?.[cause] !== undefined;
  return causesOf(family).filter((cause) => !(cause === "timeout" && waits) && !unknown(cause));
}

async function run(data: FailureData, family: CauseFamily) {
  const { agent } = data;
  const entry = agentEntries.find(({ id }) => id === agent)!;
  await using reins = createReins({ guardian: false, env: matrixEnv[agent] ?? {} });
  const { capabilities } = await reins.agent(agent);
  const folder = mkdtempSync(join(tmpdir(), "reins-failures-"));
  const scenario = { id: "failures", title: "", proves: [], run: () => Promise.resolve() };
  const onProgram = async () => {
    const proof = await proofOf(agent);
    const command = agent === "cursor" ? cursorStandIn() : proof.install === undefined ? undefined : programOf(proof);
    const env = { ...compiled, ...shortTimeouts[agent], ...matrixEnv[agent] };
    const wrap = (wrapped: typeof entry) => recordAgent(wrapped, folder);
    const processATurn = agent === "cursor";
    return openLivePlace(
      { entry, proof, capabilities, command, processATurn, env, modelUrl: addresses[family], wrap },
      scenario,
    );
  };
  // The stand-in of the cloud is a service, so there is no program to point at a model.
  const place =
    agent === "cursor-cloud"
      ? await openCloudPlace(capabilities, scenario, {}, overHttps(addresses[family]))
      : await onProgram();
  const results: Partial<Record<Cause, CauseResult>> = {};
  try {
    const stage = new Stage(place);
    const player = await stage.session();
    for (const cause of tried(family, data)) {
      results[cause] = await runCause(stage, player, cause);
      console.log(JSON.stringify({ agent, cause, ...results[cause] }));
    }
    await place.end();
    const { cwd, home = "" } = place;
    const cache = process.env["REINS_AGENT_CACHE"] ?? "";
    const places = { cwd, home, root: process.cwd(), cache, folder: dirname(cwd) };
    return { results, wire: await hiddenRecordings(folder, places) };
  } finally {
    await place.end();
    await place.clear(true);
    rmSync(folder, { recursive: true, force: true });
  }
}

describe.concurrent("failures", () => {
  test.each(matrixAgents)(
    "$agent reports every cause like all agents, or as declared",
    { timeout: 900_000 },
    async (data) => {
      const results: Partial<Record<Cause, CauseResult>> = {};
      const wire: Partial<Record<CauseFamily, readonly Recording[]>> = {};
      for (const family of families) {
        const ran = await run(data, family);
        Object.assign(results, ran.results);
        if (ran.wire.length > 0) wire[family] = ran.wire;
      }
      if (process.env["REINS_RECORD"] === "1") {
        const kept = Object.fromEntries(
          (Object.keys(causes) as Cause[]).flatMap((cause) => {
            const result = results[cause];
            return result === undefined ? [] : [[cause, steady(result)]];
          }),
        );
        mkdirSync(dirname(failuresFile(data.agent)), { recursive: true });
        writeFileSync(failuresFile(data.agent), JSON.stringify({ results: kept, wire }));
      }
      const undeclared = Object.entries(results).filter(
        ([cause, result]) => !asExpected(cause as Cause, result) && data.differs?.[cause as Cause] === undefined,
      );
      expect(undeclared).toEqual([]);
      const needless = Object.entries(results).filter(
        ([cause, result]) =>
          !("mayPass" in causes[cause as Cause]) &&
          asExpected(cause as Cause, result) &&
          data.differs?.[cause as Cause] !== undefined,
      );
      expect(needless).toEqual([]);
    },
  );
});
