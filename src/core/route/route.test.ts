import { describe, expect, it } from "vitest";
import { behind, parseFallback, routeOf } from "./route.ts";

describe("a route", () => {
  it("is the agent and its fallback", () => {
    expect(routeOf("a")).toEqual(["a"]);
    expect(routeOf("a", ["b", "c"])).toEqual(["a", "b", "c"]);
  });

  it.each([
    [["a"], "The agent a falls back to itself."],
    [["b", "a"], "The agent a falls back to itself."],
    [["b", "c", "b"], "The agent b stands in the fallback twice."],
  ])("with the fallback %j is refused", (fallback, message) => {
    expect(() => routeOf("a", fallback)).toThrow(expect.objectContaining({ code: "invalid_input", message }));
  });
});

it.each([
  ["a", ["b", "c"]],
  ["b", ["c", "a"]],
  ["c", ["a", "b"]],
  ["elsewhere", ["a", "b", "c"]],
])("behind %s stand %j", (current, next) => expect(behind(["a", "b", "c"], current)).toEqual(next));

it("reads the ids of a command line", () => {
  expect(parseFallback("a")).toEqual(["a"]);
  expect(parseFallback(" a, b ")).toEqual(["a", "b"]);
  for (const text of ["", ",", "a,", "a,,b"])
    expect(() => parseFallback(text)).toThrow("The fallback has an agent without a name.");
});
