import { expect, it } from "vitest";
import { commandName } from "../installation.ts";
import { resumeLine } from "./run.ts";

it("can be pasted into a shell", () => {
  expect(resumeLine({ state: "x:1:ab-c" }, "reins")).toBe(`reins run --resume x:1:ab-c "..."`);
  expect(resumeLine({ state: "x:{it's}" }, "reins")).toBe(`reins run --resume 'x:{it'\\''s}' "..."`);
});

it("uses the command name that was typed", () => {
  expect(resumeLine({ state: "x:1" }, commandName({ npm_command: "exec" }))).toBe(`npx reins run --resume x:1 "..."`);
  expect(resumeLine({ state: "x:1" }, commandName({ npm_command: "run" }))).toBe(`reins run --resume x:1 "..."`);
});

it("is undefined for a session that cannot continue", () => {
  expect(resumeLine({})).toBeUndefined();
});

it("names the stored session", () => {
  expect(resumeLine({}, "reins", "ses_1")).toBe(`reins resume ses_1 "..."`);
});
