import { describe, expect, it } from "vitest";
import { parseReply } from "./permission.ts";

describe("the answer to a permission", () => {
  it.each([
    ["y", "allow"],
    [" Yes ", "allow"],
    ["a", "always"],
    ["n", "deny"],
    ["no", "deny"],
    ["s", "stop"],
  ])("%j means %s", (line, reply) => {
    expect(parseReply(line, true)).toBe(reply);
  });

  it("hands the words after a no to the agent", () => {
    expect(parseReply("n use the other file", true)).toEqual({ decision: "deny", message: "use the other file" });
    expect(parseReply("no, use the other file", true)).toEqual({ decision: "deny", message: "use the other file" });
    expect(parseReply("s wrong folder", true)).toEqual({ decision: "deny", stop: true, message: "wrong folder" });
  });

  it.each(["", "   ", "x", "yes but only once", "y n", "nope"])("%j is no answer", (line) => {
    expect(parseReply(line, true)).toBeUndefined();
  });

  it("does not take always where the agent does not offer it", () => {
    expect(parseReply("a", false)).toBeUndefined();
  });
});
