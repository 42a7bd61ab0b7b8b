/**
 * Every cause of failure, on recordings of the real programs and of Cursor's stand-ins: the same on all agents, or different for a declared
 * reason.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { agentEntries } from "../../src/agents/index.ts";
import { causes, type Cause } from "../../src/agents/shared/failures/causes.ts";
import { createReins } from "../../src/index.ts";
import { asExpected, causesOf, runCause } from "./failure-causes.ts";
import { openReplayPlace } from "./replay-place.ts";
import { Stage } from "../../src/testing/contract/stage.ts";
import { proofOf } from "../../src/testing/proofs.ts";
import { families, keptFailures, matrixAgents, matrixEnv, steady, withMatrix } from "../support/failure-matrix.ts";

/** Agents that report a wait as an absolute time, which has passed when the recording is replayed. */
const saysWhen: ReadonlySet<string> = new Set(["opencode"]);

describe.each(matrixAgents)("$agent", ({ agent, differs = {} }) => {
  const kept = keptFailures(agent)!;

  test("reports every recorded cause like all agents, or as declared", () => {
    for (const cause of Object.keys(causes) as Cause[]) {
      const result = kept.results[cause];
      if ("mayPass" in causes[cause] && differs[cause] !== undefined) continue;
      const same = result !== undefined && asExpected(cause, result);
      expect([cause, same]).toEqual([cause, differs[cause] === undefined]);
    }
  });

  test.each(families.filter((family) => kept.wire[family] !== undefined))(
    "reports %s the same in a replay",
    async (family) => {
      const entry = agentEntries.find(({ id }) => id === agent)!;
      const proof = await proofOf(agent);
      const env = matrixEnv[agent] ?? {};
      await using reins = createReins({ guardian: false, env });
      const { capabilities } = await reins.agent(agent);
      const place = await openReplayPlace({ entry, proof, capabilities, folder: kept.wire[family]!, env });
      try {
        const stage = new Stage(place);
        const player = await stage.session();
        for (const cause of causesOf(family).filter((one) => kept.results[one] !== undefined)) {
          const { resets, ...played } = steady(await runCause(stage, player, cause));
          const { resets: told, ...wanted } = kept.results[cause]!;
          expect([cause, played]).toEqual([cause, wanted]);
          if (!saysWhen.has(agent)) expect([cause, resets]).toEqual([cause, told]);
          await place.caughtUp?.();
        }
      } finally {
        await place.end();
        await place.clear(true);
      }
    },
  );
});

test("docs/errors.md contains the matrix (`npm run docs` writes it)", () => {
  const page = readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8");
  expect(page).toBe(withMatrix(page));
});
