import { expect, test } from "vitest";
import { captureNames, readCapture } from "../../../test/fixtures/qwen/read.ts";
import { replay } from "../../../test/fixtures/qwen/replay.ts";
import { expectLawful } from "../../../test/support/lawful.ts";
import { outputsOf } from "../../../test/support/stream-json-captures.ts";
import { expectSound } from "../../../test/support/translator-laws.ts";
import { list, record } from "../../protocols/json.ts";
import type { ReinsEvent } from "../../events/types.ts";

const names = captureNames();

test("has recordings", () => {
  expect(names.length).toBeGreaterThanOrEqual(40);
});

test.each(names)("translates %s without breaking a law", (name) => {
  const { said, seen } = replay(name);
  expectSound(said);
  expectLawful(seen);
  expect(said.filter((event) => event.type === "notice" && event.code === "unparsed")).toEqual([]);
});

/** Recordings in which some text is discarded again. */
const takenBack = ["cut", "empty"];

test.each(names.filter((name) => !takenBack.includes(name)))("reports each message of %s once", (name) => {
  const { seen } = replay(name);
  expect(spoken(seen, "message.completed")).toEqual(whole(name, "text"));
  expect(spoken(seen, "thought.completed")).toEqual(whole(name, "thinking"));
});

test("cut: joins a continued answer and reports no failure as text", () => {
  const said = spoken(replay("cut").seen, "message.completed");
  expect(said).toEqual(["A whole answer.", "Half an ans", "A whole answer.", "Half an ans"]);
});

test("empty: discards a retracted answer, and reports the continued one once", () => {
  const { seen } = replay("empty");
  expect(spoken(seen, "message.completed")).toEqual(["This goes on and"]);
  expect(seen.filter((event) => event.type === "message.discarded")).toHaveLength(1);
  const attempts = seen.flatMap((event) => (event.type === "agent.retrying" ? [event.attempt] : []));
  expect(attempts.slice(0, 2)).toEqual([1, 2]);
});

test.each(names)("ends each turn of %s", (name) => {
  const { seen } = replay(name);
  const results = outputs(name).filter((message) => message["type"] === "result" && !isSubagents(message));
  const turns = seen.filter((event) => event.type === "turn.completed").length;
  // Without `initialize` it waited forever for an answer, and was killed.
  const killed = name === "streamin-plain" ? 1 : 0;
  expect(turns).toBe(Math.max(1, results.length + killed));
});

test("keeps the original message on every event", () => {
  const capture = readCapture("tools");
  const { said } = replay(capture, { raw: true });
  const messages = capture.lines.map((line) => line.msg);
  for (const event of said) if (event.type !== "process.exited") expect(messages).toContain(event.raw);
  const started = said.find((event) => event.type === "tool.started");
  expect(started?.raw).toMatchObject({ type: "assistant", message: { content: [{ type: "tool_use" }] } });
});

/** True for the result of a subagent that was stopped. */
function isSubagents(result: Record<string, unknown>): boolean {
  return result["duration_ms"] === 0 && result["num_turns"] === 0;
}

const outputs = (name: string) => outputsOf(readCapture(name));

/** The complete blocks of the recorded answers, without errors in place of an answer. */
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
