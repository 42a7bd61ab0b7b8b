/** Sessions of the core with a puppet as agent. */
import { stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { onTestFinished } from "vitest";
import type { Reins, ReinsOptions, Session, SessionOptions } from "../../src/core/api.ts";
import { createReins } from "../../src/core/reins.ts";
import type { AgentEvent, EventOf, EventType, ReinsEvent } from "../../src/events/types.ts";
import { temporaryFolder } from "./processes.ts";
import type { Puppet } from "./puppet.ts";

/** A folder that exists until the test is over. */
export function testFolder(): string {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  return folder.path;
}

export function reinsWith(puppet: Puppet, options: ReinsOptions = {}): Reins {
  const home = testFolder();
  const reins = createReins({
    agents: [puppet.entry],
    env: { PATH: process.env["PATH"], HOME: home, REINS_HOME: home },
    guardian: false,
    ...options,
  });
  onTestFinished(() => reins.close());
  return reins;
}

export async function sessionWith(
  puppet: Puppet,
  options: SessionOptions = {},
  reinsOptions: ReinsOptions = {},
): Promise<Session> {
  return reinsWith(puppet, reinsOptions).session({ agent: "puppet", cwd: testFolder(), ...options });
}

export async function until<Type extends EventType>(
  events: AsyncIterable<ReinsEvent>,
  type: Type,
): Promise<EventOf<Type>> {
  for await (const event of events) if (event.type === type) return event as EventOf<Type>;
  throw new Error(`There was no ${type}.`);
}

/** Lets everything run that needs no timer. `stat` calls finish in order, so awaiting one awaits the earlier ones too. */
export async function rest(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    await stat(tmpdir());
  }
}

export const asks: AgentEvent = {
  type: "permission.requested",
  requestId: "p1",
  callId: "c1",
  tool: "write",
  title: "Write a.txt",
  input: {},
  options: [],
};

export const done: AgentEvent = { type: "turn.ended", outcome: "done" };
