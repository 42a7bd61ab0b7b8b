import { describe, expect, it } from "vitest";
import { parseReply } from "./permission.ts";

describe("parseReply", () => {
  it.each([
    ["y", "allow"],
    [" Yes ", "allow"],
    ["a", "always"],
    ["n", "deny"],
    ["no", "deny"],
    ["s", "stop"],
  ])("reads %j as %s", (line, reply) => {
    expect(parseReply(line, true)).toBe(reply);
  });

  it("passes the text after a no to the agent", () => {
    expect(parseReply("n use the other file", true)).toEqual({ decision: "deny", message: "use the other file" });
    expect(parseReply("no, use the other file", true)).toEqual({ decision: "deny", message: "use the other file" });
    expect(parseReply("s wrong folder", true)).toEqual({ decision: "deny", stop: true, message: "wrong folder" });
  });

  it.each(["", "   ", "x", "yes but only once", "y n", "nope"])("rejects %j", (line) => {
    expect(parseReply(line, true)).toBeUndefined();
  });

  it('rejects "always" when the agent does not offer it', () => {
    expect(parseReply("a", false)).toBeUndefined();
  });
});
