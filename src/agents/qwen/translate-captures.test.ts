import { expect, test } from "vitest";
import { captureNames, readCapture } from "../../../test/fixtures/qwen/read.ts";
import { replay } from "../../../test/fixtures/qwen/replay.ts";
import { expectLawful } from "../../../test/support/lawful.ts";
import { outputsOf } from "../../../test/support/stream-json-captures.ts";
import { expectSound } from "../../../test/support/translator-laws.ts";
import { list, record } from "../../protocols/json.ts";
import type { ReinsEvent } from "../../events/types.ts";

const names = captureNames();

test("there are recordings", () => {
  expect(names.length).toBeGreaterThanOrEqual(40);
});

test.each(names)("%s is translated lawfully", (name) => {
  const { said, seen } = replay(name);
  expectSound(said);
  expectLawful(seen);
  expect(said.filter((event) => event.type === "notice" && event.code === "unparsed")).toEqual([]);
});

/** What is told of these is less than what stands in their lines. */
const takenBack = ["cut", "empty"];

test.each(names.filter((name) => !takenBack.includes(name)))("%s says what the agent said, once", (name) => {
  const { seen } = replay(name);
  expect(spoken(seen, "message.completed")).toEqual(whole(name, "text"));
  expect(spoken(seen, "thought.completed")).toEqual(whole(name, "thinking"));
});

test("cut: an answer that is gone on with is one answer, and no failure is text", () => {
  const said = spoken(replay("cut").seen, "message.completed");
  expect(said).toEqual(["A whole answer.", "Half an ans", "A whole answer.", "Half an ans"]);
});

test("empty: an answer that was taken back is discarded, and what is gone on with is told once", () => {
  const { seen } = replay("empty");
  expect(spoken(seen, "message.completed")).toEqual(["This goes on and"]);
  expect(seen.filter((event) => event.type === "message.discarded")).toHaveLength(1);
  const attempts = seen.flatMap((event) => (event.type === "agent.retrying" ? [event.attempt] : []));
  expect(attempts.slice(0, 2)).toEqual([1, 2]);
});

test.each(names)("%s ends each of its turns", (name) => {
  const { seen } = replay(name);
  const results = outputs(name).filter((message) => message["type"] === "result" && !isSubagents(message));
  const turns = seen.filter((event) => event.type === "turn.completed").length;
  // Without `initialize` it waited for ever for somebody's word, and was killed.
  const killed = name === "streamin-plain" ? 1 : 0;
  expect(turns).toBe(Math.max(1, results.length + killed));
});

test("the native message can be kept beside every event", () => {
  const capture = readCapture("tools");
  const { said } = replay(capture, { raw: true });
  const messages = capture.lines.map((line) => line.msg);
  for (const event of said) if (event.type !== "process.exited") expect(messages).toContain(event.raw);
  const started = said.find((event) => event.type === "tool.started");
  expect(started?.raw).toMatchObject({ type: "assistant", message: { content: [{ type: "tool_use" }] } });
});

/** A subagent that was stopped. */
function isSubagents(result: Record<string, unknown>): boolean {
  return result["duration_ms"] === 0 && result["num_turns"] === 0;
}

const outputs = (name: string) => outputsOf(readCapture(name));

/** The whole blocks of the recorded answers; an error in the place of an answer is none. */
function whole(name: string, kind: "text" | "thinking"): unknown[] {
  const messages = outputs(name);
  const errors = messages.map((message) => record(message["error"])["message"]);
  const answers = messages.filter((message) => message["type"] === "assistant");
  const blocks = answers.flatMap((message) => list(record(message["message"])["content"])).map(record);
  const texts = blocks.filter((block) => block["type"] === kind).map((block) => block[kind]);
  return texts.filter((said) => !(errors.includes(said) && String(said).startsWith("[API Error")));
}

function spoken(events: readonly ReinsEvent[], type: "message.completed" | "thought.completed"): string[] {
  return events.flatMap((event) => (event.type === type && "text" in event ? [event.text] : []));
}
