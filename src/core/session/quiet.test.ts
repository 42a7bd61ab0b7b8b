import { expect, test } from "vitest";
import { asks, done, rest, sessionWith, until } from "../../../test/support/core.ts";
import { createPuppet } from "../../../test/support/puppet.ts";
import type { AgentEvent } from "../../events/types.ts";

const piece: AgentEvent = { type: "message.delta", messageId: "m", text: "x".repeat(1000) };
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test("an agent that waits for a person is not silent", async () => {
  const puppet = createPuppet();
  puppet.onPrompt = (agent) => agent.say(asks);
  const session = await sessionWith(puppet, { attended: true, maxQuietMs: 30 }, { deadlines: { quiet: 10 } });
  const turn = session.prompt("write");
  const { requestId } = await until(turn, "permission.requested");
  await pause(100);
  session.answer(requestId, "allow");
  puppet.session.say(done);
  expect((await turn.result).outcome).toBe("done");
});

test("an agent that waits for readers is not silent", async () => {
  const puppet = createPuppet();
  puppet.onPrompt = (agent) => {
    for (let i = 0; i < 50; i++) agent.say(piece);
    agent.say(done);
  };
  const session = await sessionWith(puppet, { maxQuietMs: 30 }, { limits: { waitingBytes: 10_000 } });
  const turn = session.prompt("flood");
  const reader = turn[Symbol.asyncIterator]();
  await reader.next();
  await pause(100);
  expect(puppet.session.pulled).toBeLessThan(50);
  while ((await reader.next()).done !== true);
  expect((await turn.result).outcome).toBe("done");
});

test("stops a hung agent although nobody reads", async () => {
  const puppet = createPuppet();
  const session = await sessionWith(puppet, { maxQuietMs: 30 }, { limits: { waitingBytes: 10_000 } });
  const turn = session.prompt("flood");
  await turn[Symbol.asyncIterator]().next();
  // The agent's output while it ends finds the reader behind.
  const end = puppet.session.close.bind(puppet.session);
  puppet.session.close = () => {
    for (let i = 0; i < 50; i++) puppet.session.say(piece);
    return end();
  };
  expect(await turn.result).toMatchObject({ outcome: "failed", error: { code: "agent_hung" } });
  await rest();
  await session.close();
});
