import { expect, it } from "vitest";
import { resumeLine } from "./resume-line.ts";

it("can be pasted into a shell", () => {
  expect(resumeLine({ state: "x:1:ab-c" })).toBe(`reins run --resume x:1:ab-c "..."`);
  expect(resumeLine({ state: "x:{it's}" })).toBe(`reins run --resume 'x:{it'\\''s}' "..."`);
});

it("is not there for a session that cannot go on", () => {
  expect(resumeLine({})).toBeUndefined();
});
