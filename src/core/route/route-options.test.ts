import { describe, expect, it } from "vitest";
import { behind, choicesOf, parseFallback, routeOf, routeOver } from "./route-options.ts";

it("has a default for everything", () => {
  expect(choicesOf()).toEqual({ patience: 60_000, afterSideEffects: "handoff", briefingChars: 24_000 });
});

it("prefers the call over the configuration", () => {
  const configured = { patience: 5, afterSideEffects: "stop", briefing: 1000 } as const;
  expect(choicesOf({}, configured)).toEqual({ patience: 5000, afterSideEffects: "stop", briefingChars: 1000 });
  expect(choicesOf({ patienceMs: 0, afterSideEffects: "handoff", briefingChars: 9 }, configured)).toEqual({
    patience: 0,
    afterSideEffects: "handoff",
    briefingChars: 9,
  });
});

it("prefers the project over the user, except for the user's stop", () => {
  expect(routeOver({ patience: 1, briefing: 600 }, { patience: 2 })).toMatchObject({ patience: 2, briefing: 600 });
  expect(routeOver({ afterSideEffects: "stop" }, { afterSideEffects: "handoff" })?.afterSideEffects).toBe("stop");
  expect(routeOver({ afterSideEffects: "handoff" }, { afterSideEffects: "stop" })?.afterSideEffects).toBe("stop");
  expect(routeOver(undefined, undefined)).toBeUndefined();
  expect(routeOver({}, { afterSideEffects: "handoff" })?.afterSideEffects).toBe("handoff");
});

describe("a route", () => {
  it("is the agent and its fallback", () => {
    expect(routeOf("a")).toEqual(["a"]);
    expect(routeOf("a", ["b", "c"])).toEqual(["a", "b", "c"]);
  });

  it.each([
    [["a"], "The agent a falls back to itself."],
    [["b", "a"], "The agent a falls back to itself."],
    [["b", "c", "b"], "The agent b occurs twice in the fallback."],
  ])("is refused with the fallback %j", (fallback, message) => {
    expect(() => routeOf("a", fallback)).toThrow(expect.objectContaining({ code: "invalid_input", message }));
  });
});

it.each([
  ["a", ["b", "c"]],
  ["b", ["c", "a"]],
  ["c", ["a", "b"]],
  ["elsewhere", ["a", "b", "c"]],
])("continues after %s with %j", (current, next) => expect(behind(["a", "b", "c"], current)).toEqual(next));

it("parses the ids of a command line", () => {
  expect(parseFallback("a")).toEqual(["a"]);
  expect(parseFallback(" a, b ")).toEqual(["a", "b"]);
  for (const text of ["", ",", "a,", "a,,b"])
    expect(() => parseFallback(text)).toThrow("The fallback has an agent without a name.");
});
