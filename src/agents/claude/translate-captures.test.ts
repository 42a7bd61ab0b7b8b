import { expect, test } from "vitest";
import { captureNames, otherWires, readCapture, silent } from "../../../test/fixtures/claude/read.ts";
import { replay } from "../../../test/fixtures/claude/replay.ts";
import { expectLawful } from "../../../test/support/lawful.ts";
import { outputsOf } from "../../../test/support/stream-json-captures.ts";
import { expectSound } from "../../../test/support/translator-laws.ts";
import type { ReinsEvent } from "../../events/types.ts";
import { isRecord, list, record } from "../../protocols/json.ts";

const names = captureNames();

test("plays every recording that is not listed as another kind", () => {
  expect(names.length + Object.keys(otherWires).length).toBeGreaterThanOrEqual(155);
  expect(names).toEqual(expect.arrayContaining([...silent]));
});

test.each(names)("translates %s without breaking a law", (name) => {
  const { said, seen } = replay(name);
  expectSound(said);
  expectLawful(seen);
});

test.each(names.filter((name) => !silent.includes(name)))("reports each message of %s once", (name) => {
  const { seen, said } = replay(name);
  expect(spoken(seen, "message.completed")).toEqual(whole(name, "text"));
  expect(spoken(seen, "thought.completed")).toEqual(whole(name, "thinking"));
  expect(said.filter((event) => event.type === "notice" && event.code === "unparsed")).toEqual([]);
});

test.each(names)("ends each turn of %s", (name) => {
  const { seen } = replay(name);
  const results = outputs(name).filter((message) => message["type"] === "result").length;
  const turns = seen.filter((event) => event.type === "turn.completed").length;
  // In one-shot mode the report of a background task is part of the prompt's turn.
  if (name === "subagent_task") expect([results, turns]).toEqual([2, 1]);
  else expect(turns).toBe(Math.max(1, results));
});

test("keeps the original message on every event", () => {
  const capture = readCapture("partial");
  const { said } = replay(capture, { raw: true });
  const messages = capture.lines.map((line) => line.msg);
  for (const event of said) if (event.type !== "process.exited") expect(messages).toContain(event.raw);
});

const outputs = (name: string) => outputsOf(readCapture(name));

/** The complete blocks of the recorded answers, without errors in place of an answer. */
function whole(name: string, kind: "text" | "thinking"): unknown[] {
  const messages = outputs(name);
  const answers = messages.filter((message) => message["type"] === "assistant" && message["error"] === undefined);
  const blocks = answers.flatMap((message) => list(record(message["message"])["content"])).filter(isRecord);
  const texts = blocks.filter((block) => block["type"] === kind).map((block) => String(block[kind]).slice(0, 1000));
  const structured = kind === "text" ? messages.filter((message) => message["structured_output"] !== undefined) : [];
  return [...texts, ...structured.map((message) => message["result"])];
}

function spoken(events: readonly ReinsEvent[], type: "message.completed" | "thought.completed"): string[] {
  return events.flatMap((event) => (event.type === type && "text" in event ? [event.text.slice(0, 1000)] : []));
}
