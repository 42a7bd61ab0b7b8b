/**
 * An agent that sends anything and dies at any moment, and a caller that calls anything: the core keeps the laws and every promise settles.
 */
import { setImmediate, setTimeout } from "node:timers/promises";
import { expect, onTestFailed, test } from "vitest";
import type { PermissionReply, Session } from "../../src/core/api.ts";
import { modes } from "../../src/events/modes.ts";
import type { AgentEvent, ReinsEvent } from "../../src/events/types.ts";
import { sessionWith } from "../support/core.ts";
import { expectLawful } from "../support/lawful.ts";
import { createPuppet, type Puppet } from "../support/puppet.ts";
import { type Random, seededRandom } from "../support/random.ts";

const lives = 60;
const steps = 40;
const ids = ["a", "b", "c"];
const options = [
  { id: "y", kind: "allow_once" as const, label: "Yes" },
  { id: "n", kind: "reject_once" as const, label: "No" },
];

function anyEvent(chance: Random): AgentEvent {
  const id = chance.pick(ids);
  const parent = chance.pick([undefined, undefined, "t", "a"]);
  const call = { callId: id, nativeName: "X", title: "T", input: {}, parent };
  return chance.pick<() => AgentEvent>([
    () => ({ type: "message.delta", messageId: id, text: "x".repeat(chance.below(3000)), parent }),
    () => ({ type: "message.completed", messageId: id, text: "hello", parent }),
    () => ({ type: "message.discarded", messageId: id, reason: "retry", parent }),
    () => ({ type: "thought.delta", messageId: id, text: "hm", parent }),
    () => ({ ...call, type: "tool.started", tool: chance.pick(["shell", "write", "task"]), kind: "other" }),
    () => ({ type: "tool.progress", callId: id, output: "out", parent }),
    () => ({ type: "tool.completed", callId: id, output: { text: "ok", bytes: 2, kept: 2 }, parent }),
    () => ({ type: "tool.failed", callId: id, error: { message: "no" }, reason: "error", parent }),
    () => ({ ...call, type: "tool.held", requestId: id, tool: chance.pick(["shell", "write", "read", "question"]) }),
    () => ({ ...call, type: "permission.requested", requestId: id, tool: chance.pick(["write", "plan"]), options }),
    () => ({ type: "permission.resolved", requestId: id, outcome: "cancelled", by: "agent", parent }),
    () => ({ type: "question.requested", requestId: id, questions: [], parent }),
    () => ({ type: "task.started", taskId: id, callId: id, kind: "subagent", title: "t", status: "running" }),
    () => ({ type: "task.updated", taskId: id, status: chance.pick(["running", "completed"]) }),
    () => ({ type: "session.started", mode: chance.pick(modes), cwd: "/", resumed: false }),
    () => ({ type: "session.updated", mode: chance.pick(modes), by: "agent" }),
    () => ({ type: "turn.phase", phase: "model" }),
    () => ({ type: "turn.ended", outcome: chance.pick(["done", "failed", "refused", "cancelled"]) }),
    () => ({ type: "turn.ended", outcome: "done", origin: "agent" }),
    () => ({ type: "process.exited", code: 1, signal: null, stderrTail: "" }),
  ])();
}

function anyAgent(chance: Random): Puppet {
  const puppet = createPuppet({ steer: chance.below(3) > 0, keepsEdits: chance.below(2) > 0 });
  puppet.onCancel = (agent) => {
    const what = chance.below(4);
    if (what === 0) agent.die();
    else if (what === 1) throw new Error("It does not stop.");
    else if (what === 2) agent.say({ type: "turn.ended", outcome: "cancelled" });
  };
  return puppet;
}

function anyReply(chance: Random): PermissionReply | Promise<PermissionReply> {
  const what = chance.below(5);
  if (what === 0) throw new Error("Nobody knows.");
  if (what === 1) return new Promise(() => {});
  return what === 2 ? setTimeout(3, "deny" as const) : chance.pick(["allow", "stop"]);
}

async function live(session: Session, puppet: Puppet, chance: Random): Promise<Promise<unknown>[]> {
  const results: Promise<unknown>[] = [];
  for (let step = 0; step < steps; step++) {
    const agent = puppet.sessions.at(-1)!;
    const what = chance.below(12);
    if (what < 2) {
      const abort = new AbortController();
      const turn = session.prompt("go", { whenBusy: chance.pick(["reject", "queue", "steer"]), signal: abort.signal });
      results.push(turn.result);
      if (chance.below(3) === 0) void read(turn, chance.below(20));
      if (chance.below(5) === 0) abort.abort();
      if (chance.below(5) === 0) void turn.cancel();
    } else if (what === 2) void session.cancel();
    else if (what === 3) agent.die();
    else if (what === 4) void session.configure({ mode: chance.pick(modes) }).catch(() => {});
    else if (what === 5 && chance.below(4) === 0) agent.explode(new Error("Boom."));
    else if (what === 6) tryTo(() => session.answer(chance.pick(ids), chance.pick(["allow", "deny"])));
    else agent.say(...Array.from({ length: 1 + chance.below(4) }, () => anyEvent(chance)));
    if (chance.below(2) === 0) await setImmediate();
  }
  return results;
}

async function read(events: AsyncIterable<unknown>, count: number): Promise<void> {
  const reader = events[Symbol.asyncIterator]();
  for (let n = 0; n < count; n++) await reader.next().catch(() => {});
  await reader.return?.();
}

function tryTo(what: () => void): void {
  try {
    what();
  } catch {
    // No test waits for this read.
  }
}

test("keeps the laws and settles every promise, whatever an agent does", async () => {
  const random = seededRandom();
  onTestFailed(() => console.error(`REINS_TEST_SEED=${random.seed}`));
  for (let n = 0; n < lives; n++) {
    const puppet = anyAgent(random);
    const session = await sessionWith(
      puppet,
      {
        mode: random.pick(modes),
        attended: true,
        ...(random.below(2) === 0 && { onPermission: () => anyReply(random) }),
        ...(random.below(3) === 0 && { maxQuietMs: 20 }),
      },
      {
        deadlines: { permission: 15, question: 15, cancel: 20 },
        limits: { waitingBytes: random.pick([4_000, 8_000_000]) },
      },
    );
    const seen: ReinsEvent[] = [];
    const reading = (async () => {
      for await (const event of session.events()) seen.push(event);
    })();
    const results = await live(session, puppet, random);
    await session.close();
    await Promise.allSettled(results);
    await reading;
    expectLawful(seen);
    expect(puppet.sessions.every((agent) => agent.closed)).toBe(true);
  }
});
