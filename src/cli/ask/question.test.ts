import { describe, expect, it } from "vitest";
import { parseChoice } from "./question.ts";

const one = { id: "q", text: "Which?", options: [{ label: "Red" }, { label: "Blue" }], multiple: false };
const many = { ...one, multiple: true };

describe("parseChoice", () => {
  it("reads a number as the option with that number", () => {
    expect(parseChoice("2", one)).toBe("Blue");
    expect(parseChoice("1, 2", many)).toEqual(["Red", "Blue"]);
    expect(parseChoice("2", many)).toEqual(["Blue"]);
  });

  it("reads a label in any case, and free text", () => {
    expect(parseChoice("blue", one)).toBe("Blue");
    expect(parseChoice("a dark green", one)).toBe("a dark green");
    expect(parseChoice("42", { ...one, options: [] })).toBe("42");
  });

  it("skips on an empty line", () => {
    expect(parseChoice("  ", one)).toBe("");
  });

  it.each([
    ["3", one],
    ["0", one],
    ["1 2", one],
    ["1 7", many],
    ["green", { ...one, free: false }],
    [",", many],
  ])("rejects %j", (line, question) => {
    expect(parseChoice(line, question)).toBeUndefined();
  });
});
