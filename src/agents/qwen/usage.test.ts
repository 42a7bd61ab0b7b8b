import { expect, test } from "vitest";
import { Usage } from "./usage.ts";

const reading = (input_tokens: number, output_tokens: number, cache_read_input_tokens = 0) => ({
  input_tokens,
  output_tokens,
  cache_read_input_tokens,
});
const inTurn = { running: true, started: true };

test("converts readings of a conversation to turn usage, which adds up", () => {
  const usage = new Usage(false);
  expect(usage.turn(reading(100, 20, 40), inTurn).tokens).toEqual({ input: 60, output: 20, cacheRead: 40 });
  const { tokens, events } = usage.turn(reading(250, 50, 100), inTurn);
  expect(tokens).toEqual({ input: 90, output: 30, cacheRead: 60 });
  expect(events).toMatchObject([
    { scope: "turn", tokens },
    { scope: "session", tokens: { input: 150, output: 50, cacheRead: 100 } },
  ]);
});

test("measures a resumed conversation against its earlier usage, without a total", () => {
  const usage = new Usage(true);
  usage.began({ input: 100, output: 20, cacheRead: 0 });
  const { tokens, events } = usage.turn(reading(180, 30), inTurn);
  expect(tokens).toEqual({ input: 80, output: 10, cacheRead: 0 });
  expect(events.map((event) => "scope" in event && event.scope)).toEqual(["turn"]);
});

test("reports nothing without a baseline", () => {
  const usage = new Usage(true);
  expect(usage.turn(reading(180, 30), inTurn)).toEqual({ tokens: undefined, events: [] });
  expect(usage.turn(reading(200, 35), inTurn).tokens).toEqual({ input: 20, output: 5, cacheRead: 0 });
  const wrong = new Usage(true);
  wrong.began({ input: 500, output: 20, cacheRead: 0 });
  expect(wrong.turn(reading(180, 30), inTurn).tokens).toBeUndefined();
});

test("starts again when a reading falls", () => {
  const usage = new Usage(false);
  usage.turn(reading(100, 20), inTurn);
  expect(usage.turn(reading(30, 5), inTurn).tokens).toEqual({ input: 30, output: 5, cacheRead: 0 });
});

test("handles invalid readings and readings outside a turn", () => {
  const usage = new Usage(false);
  for (const none of [undefined, null, 1, {}, { input_tokens: 5 }])
    expect(usage.turn(none, inTurn)).toEqual({ tokens: undefined, events: [] });
  expect(usage.turn(reading(0, 0), inTurn)).toEqual({ tokens: undefined, events: [] });
  expect(usage.turn(reading(10, 1), { running: false, started: true })).toMatchObject({
    tokens: undefined,
    events: [{ scope: "session" }],
  });
  expect(new Usage(false).turn(reading(10, 1), { running: true, started: false }).events).toEqual([]);
});

test("reports how full the context is", () => {
  const usage = new Usage(false);
  usage.answered(reading(100, 20, 40));
  usage.answered({});
  expect(usage.turn(reading(100, 20, 40), inTurn).events[0]).toMatchObject({ context: { used: 120 } });
});
