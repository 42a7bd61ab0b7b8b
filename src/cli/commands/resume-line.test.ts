import { expect, it } from "vitest";
import { commandName } from "../installation.ts";
import { resumeLine } from "./run.ts";

it("can be pasted into a shell", () => {
  expect(resumeLine({ state: "x:1:ab-c" }, "reins")).toBe(`reins run --resume x:1:ab-c "..."`);
  expect(resumeLine({ state: "x:{it's}" }, "reins")).toBe(`reins run --resume 'x:{it'\\''s}' "..."`);
});

it("names the command as it was called", () => {
  expect(resumeLine({ state: "x:1" }, commandName({ npm_command: "exec" }))).toBe(`npx reins run --resume x:1 "..."`);
  expect(resumeLine({ state: "x:1" }, commandName({ npm_command: "run" }))).toBe(`reins run --resume x:1 "..."`);
});

it("is not there for a session that cannot go on", () => {
  expect(resumeLine({})).toBeUndefined();
});

it("names the session where it is kept", () => {
  expect(resumeLine({}, "reins", "ses_1")).toBe(`reins resume ses_1 "..."`);
});
