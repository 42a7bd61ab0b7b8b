import { expect, test } from "vitest";
import { expectLawful } from "../../../test/support/lawful.ts";
import { done, rest, sessionWith } from "../../../test/support/core.ts";
import { createPuppet, type Puppet } from "../../../test/support/puppet.ts";
import type { AgentEvent, EventOf, EventType, ReinsEvent } from "../../events/types.ts";
import type { Session, SessionOptions } from "../api.ts";

const delegates: AgentEvent[] = [
  { type: "tool.started", callId: "t", tool: "task", nativeName: "Task", kind: "think", title: "Look", input: {} },
  { type: "task.started", taskId: "k", callId: "t", kind: "subagent", title: "Look", status: "running" },
  { type: "tool.completed", callId: "t", output: { text: "It runs.", bytes: 8, kept: 8 } },
  { type: "turn.ended", outcome: "done", background: ["k"] },
];
const reads: AgentEvent = {
  type: "tool.started",
  callId: "r",
  tool: "read",
  nativeName: "Read",
  kind: "read",
  title: "Read a",
  input: {},
  parent: "t",
};
const says = (text: string): AgentEvent => ({ type: "message.completed", messageId: text, text });

/** A session whose agent has a background subagent that has just begun to read. */
async function delegated(options: SessionOptions = {}) {
  const puppet = createPuppet();
  puppet.onPrompt = (agent) => agent.say(...delegates);
  const session = await sessionWith(puppet, options);
  await session.prompt("delegate").result;
  puppet.session.say(reads);
  await rest();
  puppet.onPrompt = (agent, { text }) => agent.say(says(text), done);
  return { puppet, session };
}

/** All events of a session, after it is closed. */
async function seen(session: Session): Promise<ReinsEvent[]> {
  await session.close();
  const events: ReinsEvent[] = [];
  for await (const event of session.events()) events.push(event);
  return events;
}

/** The newest event of a type so far. */
async function last<Type extends EventType>(session: Session, type: Type): Promise<EventOf<Type>> {
  const abort = new AbortController();
  const events: EventOf<Type>[] = [];
  setImmediate(() => abort.abort());
  for await (const event of session.events({ signal: abort.signal }))
    if (event.type === type) events.push(event as EventOf<Type>);
  return events.at(-1)!;
}

test.each(["reject", "queue", "steer"] as const)(
  "a background subagent does not block a prompt (%s)",
  async (whenBusy) => {
    const { puppet, session } = await delegated();
    const turn = session.prompt("hello", { whenBusy });
    expect(await turn.result).toMatchObject({ outcome: "done", text: "hello", turnId: turn.id, background: ["k"] });
    puppet.session.say(says("The subagent is done."), done);
    await rest();
    const events = await seen(session);
    expectLawful(events);
    const turns = events.flatMap((event) => (event.type === "turn.started" ? [event.origin] : []));
    expect(turns).toEqual(["prompt", "agent", "prompt", "agent"]);
    expect(puppet.session.steered).toEqual([]);
  },
);

const asks = (parent?: string): AgentEvent => ({
  type: "permission.requested",
  requestId: "p",
  callId: "w",
  tool: "write",
  title: "Write",
  input: {},
  options: [],
  parent,
});

test.each(["ends its turn", "is prompted"])("repeats a subagent's request when its agent %s", async (how) => {
  const { puppet, session } = await delegated({ attended: true });
  puppet.session.say(asks("t"));
  await rest();
  if (how === "is prompted") await session.prompt("hello").result;
  else puppet.session.say(done);
  await rest();
  expect(() => session.answer("p", "allow")).toThrow("settled already");
  expect(puppet.session.answers).toEqual([]);
  const again = await last(session, "permission.requested");
  session.answer(again.requestId, "allow");
  expect(puppet.session.answers).toMatchObject([{ requestId: "p", answer: { decision: "allow" } }]);
  puppet.session.say(done);
  await rest();
  expectLawful(await seen(session));
});

test("does not repeat the agent's own request, or one after a cancel or a crash", async () => {
  const ends: ((puppet: Puppet, session: Session) => unknown)[] = [
    (puppet) => puppet.session.die(),
    (_, session) => session.cancel(),
    (_, session) => session.close(),
  ];
  for (const end of ends) {
    const { puppet, session } = await delegated({ attended: true });
    puppet.session.say(asks("t"));
    await rest();
    await end(puppet, session);
    await rest();
    const events = await seen(session);
    expectLawful(events);
    expect(events.filter((event) => event.type === "permission.requested")).toHaveLength(1);
  }
  const { puppet, session } = await delegated({ attended: true });
  puppet.session.say(asks(), done);
  await rest();
  expect((await seen(session)).filter((event) => event.type === "permission.requested")).toHaveLength(1);
});

test("an agent that speaks itself blocks a prompt", async () => {
  const { puppet, session } = await delegated();
  puppet.session.say(says("The subagent is done."));
  await rest();
  await expect(session.prompt("hello").result).rejects.toMatchObject({ code: "session_busy" });
});

test("refuses the second of two prompts at once", async () => {
  const { session } = await delegated();
  const first = session.prompt("one");
  await expect(session.prompt("two").result).rejects.toMatchObject({ code: "session_busy" });
  expect((await first.result).text).toBe("one");
});

test("a prompt that waits for the subagents' turn can be cancelled and closed", async () => {
  const { puppet, session } = await delegated();
  const first = session.prompt("one");
  await first.cancel();
  await expect(first.result).rejects.toMatchObject({ code: "cancelled" });
  expect(puppet.session.prompts.map((prompt) => prompt.text)).toEqual(["delegate"]);
  expect((await session.prompt("two").result).text).toBe("two");
});

test("charges a turn that arrives at once only for its own usage", async () => {
  const used = (input: number): AgentEvent[] => [
    { type: "usage.updated", scope: "turn", tokens: { input, output: 0 } },
    { type: "turn.ended", outcome: "done", usage: { input, output: 0 } },
  ];
  const puppet = createPuppet();
  puppet.onPrompt = (agent) => agent.say(says("I work."), ...used(2_000_000));
  const session = await sessionWith(puppet, { model: "gpt-5.5" });
  await session.prompt("work").result;
  puppet.session.say(says("One thing more."), ...used(1_000_000));
  await rest();
  const events = await seen(session);
  expectLawful(events);
  const costs = events.flatMap((event) => (event.type === "turn.completed" ? [event.costUsd ?? 0] : []));
  expect(costs[0]).toBeGreaterThan(0);
  expect(costs).toEqual([costs[0], costs[0]! / 2]);
});
