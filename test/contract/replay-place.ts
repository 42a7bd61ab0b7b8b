/** A place without the agent's program: the recorded wire answers instead. */
import { setTimeout as sleep } from "node:timers/promises";
import { variableOf } from "../../src/agents/variable.ts";
import type { AgentEntry, Proof } from "../../src/agents/contract.ts";
import type { Reins } from "../../src/core/api.ts";
import { createReins } from "../../src/core/reins.ts";
import type { Capabilities } from "../../src/events/capabilities.ts";
import { scenarioPrompt } from "../../src/testing/conversation.ts";
import { withProcesses, replayWire } from "../../src/testing/wire/replay.ts";
import type { Recording } from "../../src/testing/wire/record.ts";
import { readRecordings, shownRecordings } from "./recordings.ts";
import { Tap } from "../../src/testing/contract/tap.ts";
import type { Place } from "../../src/testing/contract/types.ts";
import { createWorkspace } from "../../src/testing/contract/workspace.ts";

export interface ReplayPlaceOptions {
  readonly entry: AgentEntry;
  readonly proof: Proof;
  readonly capabilities: Capabilities;
  /** The folder of the scenario's recordings, or the recordings themselves. */
  readonly folder: string | readonly Recording[];
  readonly env?: Readonly<Record<string, string>> | undefined;
}

const deadlineMs = 20_000;

function conversationsIn(recordings: readonly Recording[]): string[] {
  const uuids = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
  return [...new Set(JSON.stringify(recordings).match(uuids))];
}

export async function openReplayPlace(options: ReplayPlaceOptions): Promise<Place> {
  const { entry, proof, capabilities, folder, env = {} } = options;
  // No process is started here, not even git.
  const workspace = createWorkspace("");
  const { cwd, home } = workspace;
  const places = { cwd, home };
  const recordings =
    typeof folder === "string" ? await readRecordings(folder, places) : shownRecordings(folder, places);
  if (proof.keeps !== undefined)
    workspace.furnish(Object.fromEntries(conversationsIn(recordings).map((id) => [proof.keeps!(id), "{}"])));
  // The replay is shared: a second Reins continues where the first stopped.
  const processes = replayWire(recordings, { run: () => ({ stdout: proof.install?.version ?? "" }) });
  const tap = new Tap();
  const opened: Reins[] = [];
  // The agent checks that its program exists, although the replay never starts it.
  const variables = { ...env, ...proof.env("http://127.0.0.1:1"), [variableOf(entry.id, "COMMAND")]: process.execPath };
  return {
    agent: entry.id,
    capabilities,
    live: false,
    cwd,
    isRepository: false,
    home,
    tap,
    models: proof.models,
    compactPrompt: proof.compactPrompt,
    deadlineMs,
    reins(given = {}) {
      const agents = [withProcesses(tap.on(entry), () => processes)];
      const reins = createReins({ guardian: false, env: { ...workspace.env, ...variables }, agents, ...given });
      opened.push(reins);
      return reins;
    },
    forget: () => {},
    prompt: ({ name, arg }) => scenarioPrompt(name, arg),
    release: (gate) => processes.release(gate),
    async caughtUp() {
      while (processes.children.at(-1)?.isCaughtUp === false) await sleep(5);
    },
    async end() {
      await Promise.all(opened.map((reins) => reins.close()));
      return [];
    },
    async clear() {
      workspace.clear();
    },
  };
}
