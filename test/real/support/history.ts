/** Compares an agent's stored history with the events of the conversation. */
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { agentEntries } from "../../../src/agents/index.ts";
import type { AgentHistory } from "../../../src/agents/contract.ts";
import { deadlinesWith } from "../../../src/events/deadlines.ts";
import { limitsWith } from "../../../src/events/limits.ts";
import { createRedactor } from "../../../src/events/redact.ts";
import { createProcesses } from "../../../src/process/index.ts";
import { scenarioPrompt } from "../../../src/testing/index.ts";
import { collected, readWhole, told, toldPast } from "../../support/past.ts";
import { running } from "./left.ts";
import { realAgent, type RealAgent } from "./real-agent.ts";

async function historyOf({ id, env }: RealAgent): Promise<AgentHistory> {
  const { createAgent } = await agentEntries.find((entry) => entry.id === id)!.load();
  const [deadlines, limits, redact] = [deadlinesWith({}), limitsWith({}), createRedactor({})];
  const processes = createProcesses({ env, deadlines, limits, redact, guardian: false });
  return createAgent({ env, deadlines, limits, redact, processes }).manage.history!;
}

export interface HistoryScenario {
  readonly name: string;
  readonly arg?: string;
  /** Cancels the turn when its command runs. */
  readonly cancel?: boolean;
}

/** Holds a conversation, reads it back from the agent's files and returns both as lines. */
export async function heldAndKept(
  id: string,
  scenarios: readonly HistoryScenario[],
): Promise<{ live: string[]; kept: string[] }> {
  const real = await realAgent(id);
  const session = await real.session({ mode: "full" });
  for (const { name, arg, cancel = false } of scenarios) {
    const turn = session.prompt(scenarioPrompt(name, arg));
    if (cancel) {
      const runs = () => running(real.home).some(({ command }) => command.startsWith("tail -f"));
      await expect.poll(runs, { timeout: 10_000, interval: 20 }).toBe(true);
      await turn.cancel();
    }
    await turn.result;
  }
  const state = session.state;
  await real.reins.close();
  const before = filesIn(real.home);
  const history = await historyOf(real);
  const listed = await collected(history.list());
  expect(listed).toHaveLength(1);
  expect(listed[0]).toMatchObject({ cwd: real.cwd, state });
  expect(await collected(history.list({ cwd: real.home }))).toEqual([]);
  const kept = await readWhole(history, listed[0]!);
  expect(filesIn(real.home)).toEqual(before);
  return { live: told(real.said(session)), kept: toldPast(kept) };
}

/** Every file with its content, except for SQLite's shared-memory file, which readers change. */
function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => !name.endsWith(".db-shm") && lstatSync(join(folder, name)).isFile());
  return Object.fromEntries(
    files.map((name) => [
      name,
      createHash("sha256")
        .update(readFileSync(join(folder, name)))
        .digest("hex"),
    ]),
  );
}
