import { expect, test } from "vitest";
import { expectLawful } from "../../../test/support/lawful.ts";
import { done, rest, sessionWith } from "../../../test/support/core.ts";
import { createPuppet } from "../../../test/support/puppet.ts";
import type { AgentEvent, ReinsEvent } from "../../events/types.ts";
import type { Session } from "../api.ts";

const asks = (callId: string): AgentEvent => ({
  type: "permission.requested",
  requestId: "0",
  callId,
  tool: "write",
  title: "Write a.txt",
  input: {},
  options: [],
});

async function seen(session: Session): Promise<ReinsEvent[]> {
  const events: ReinsEvent[] = [];
  await session.close();
  for await (const event of session.events()) events.push(event);
  return events;
}

test("answers each request of an agent that reuses ids, also after a restart", async () => {
  const puppet = createPuppet();
  puppet.onPrompt = (agent) => agent.say(asks("c1"));
  const session = await sessionWith(puppet, { onPermission: () => "allow" });
  session.prompt("one");
  await rest();
  puppet.session.say(asks("c2"));
  await rest();
  puppet.session.die();
  await rest();
  session.prompt("two");
  await rest();
  expect(puppet.sessions.map((agent) => agent.answers.map(({ requestId }) => requestId))).toEqual([["0", "0"], ["0"]]);
  expectLawful(await seen(session));
});

test("asks a repeated pending request once, and a withdrawal refers to the last request", async () => {
  const puppet = createPuppet();
  puppet.onPrompt = (agent) => agent.say(asks("c1"), asks("c1"));
  const session = await sessionWith(puppet, { attended: true });
  session.prompt("one");
  await rest();
  session.answer("0", "allow");
  puppet.session.say(
    asks("c2"),
    { type: "permission.resolved", requestId: "0", outcome: "cancelled", by: "agent" },
    done,
  );
  await rest();
  expect(puppet.session.answers).toHaveLength(1);
  const events = await seen(session);
  expectLawful(events);
  const outcomes = events.flatMap((event) => (event.type === "permission.resolved" ? [event.outcome] : []));
  expect(outcomes).toEqual(["allowed", "cancelled"]);
});
