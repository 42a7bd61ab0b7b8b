/** A place with the program on the PATH, the person's own sign-in and a live model. Prompts are plain words and cost money. */
import { createReins } from "../../../src/index.ts";
import type { Reins } from "../../../src/core/api.ts";
import { leftOf, createWorkspace } from "../../../src/testing/contract/workspace.ts";
import type { LivePlaceOptions } from "../../../src/testing/contract/live-place.ts";
import { Tap } from "../../../src/testing/contract/tap.ts";
import type { Place } from "../../../src/testing/contract/types.ts";
import { spoken } from "./spoken.ts";

/** A live model needs time. */
const deadlineMs = 170_000;

export async function openSpokenPlace(
  options: Pick<LivePlaceOptions, "entry" | "capabilities" | "env" | "processATurn">,
): Promise<Place> {
  const { entry, capabilities, processATurn } = options;
  const workspace = createWorkspace();
  const { cwd, home, isRepository } = workspace;
  const tap = new Tap();
  const opened: Reins[] = [];
  return {
    agent: entry.id,
    capabilities,
    live: true,
    spoken: true,
    processATurn,
    cwd,
    isRepository,
    tap,
    deadlineMs,
    reins(given = {}) {
      const reins = createReins({ env: { ...process.env, ...options.env }, agents: [tap.on(entry)], ...given });
      opened.push(reins);
      return reins;
    },
    prompt: spoken,
    release: () => {},
    async end() {
      await Promise.all(opened.map((reins) => reins.close()));
      return leftOf(home, tap.launched);
    },
    clear: async () => workspace.clear(),
  };
}

/** True for `REINS_REAL_<AGENT>=1`. */
export const isSpoken = (agent: string): boolean =>
  process.env[`REINS_REAL_${agent.toUpperCase().replaceAll("-", "_")}`] === "1";
