import { expect, test } from "vitest";
import { expectLawful } from "../../test/support/lawful.ts";
import { done, rest, sessionWith } from "../../test/support/core.ts";
import { createPuppet } from "../../test/support/puppet.ts";
import type { AgentEvent, ReinsEvent } from "../events/types.ts";

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

/** A session whose agent has a subagent at work in the background, which has just begun to read. */
async function delegated() {
  const puppet = createPuppet();
  puppet.onPrompt = (agent) => agent.say(...delegates);
  const session = await sessionWith(puppet);
  await session.prompt("delegate").result;
  puppet.session.say(reads);
  await rest();
  puppet.onPrompt = (agent, { text }) => agent.say(says(text), done);
  return { puppet, session };
}

test.each(["reject", "queue", "steer"] as const)(
  "a subagent in the background keeps nobody from prompting (%s)",
  async (whenBusy) => {
    const { puppet, session } = await delegated();
    const turn = session.prompt("hello", { whenBusy });
    expect(await turn.result).toMatchObject({ outcome: "done", text: "hello", turnId: turn.id, background: ["k"] });
    puppet.session.say(says("The subagent is done."), done);
    await rest();
    await session.close();
    const events: ReinsEvent[] = [];
    for await (const event of session.events()) events.push(event);
    expectLawful(events);
    const turns = events.flatMap((event) => (event.type === "turn.started" ? [event.origin] : []));
    expect(turns).toEqual(["prompt", "agent", "prompt", "agent"]);
    expect(puppet.session.steered).toEqual([]);
  },
);

test("an agent that speaks itself does", async () => {
  const { puppet, session } = await delegated();
  puppet.session.say(says("The subagent is done."));
  await rest();
  await expect(session.prompt("hello").result).rejects.toMatchObject({ code: "session_busy" });
});

test("two prompts at once: the second is refused", async () => {
  const { session } = await delegated();
  const first = session.prompt("one");
  await expect(session.prompt("two").result).rejects.toMatchObject({ code: "session_busy" });
  expect((await first.result).text).toBe("one");
});

test("a prompt that waits for the subagents' turn to end can be cancelled, and closed", async () => {
  const { puppet, session } = await delegated();
  const first = session.prompt("one");
  await first.cancel();
  await expect(first.result).rejects.toMatchObject({ code: "cancelled" });
  expect(puppet.session.prompts.map((prompt) => prompt.text)).toEqual(["delegate"]);
  expect((await session.prompt("two").result).text).toBe("two");
});
