import { expect, test } from "vitest";
import type { AgentEvent } from "../../events/types.ts";
import { AcknowledgedEvents } from "./acknowledged-events.ts";

const say = (text: string): AgentEvent => ({ type: "message.delta", messageId: "m", text });
const at = (lastId: string) => ({ agentId: "bc-1", runId: "run-1", lastId });

test("gives the state of what was read, never of what still waits", async () => {
  const told = new AcknowledgedEvents(undefined);
  const reader = told[Symbol.asyncIterator]();
  const read = async () => ((await reader.next()).value ?? []) as readonly AgentEvent[];
  told.push(say("a"), { place: at("0") });
  told.push(say("b"));
  told.push(say("c"), { place: at("2") });
  told.reached(at("3"));
  expect(told.place).toBeUndefined();
  expect(await read()).toEqual([say("a"), say("b")]);
  expect(told.place).toEqual(at("0"));
  expect(await read()).toEqual([say("c")]);
  expect(told.place).toEqual(at("2"));
  told.end();
  expect((await reader.next()).done).toBe(true);
  expect(told.place).toEqual(at("3"));
});
