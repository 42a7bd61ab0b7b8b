import { expect, test } from "vitest";
import { modes, type Mode } from "../events/modes.ts";
import { modeAfter, modeName, modeNamed } from "./mode-names.ts";

const named = { modes, modeNames: { ask: "Agent", plan: "Plan", read: "Ask" } } as const;
const few = { modes: ["read", "full"] as const };

test.each([
  ["ask", named, "Agent"],
  ["read", named, "Ask"],
  ["edits", named, "edits"],
  ["ask", undefined, "ask"],
] as const)("names the mode %s", (mode, declared, expected) => {
  expect(modeName(mode, declared)).toBe(expected);
});

test.each([
  // An agent's own word wins, because the screen shows it.
  ["ask", named, "read"],
  ["Agent", named, "ask"],
  [" PLAN ", named, "plan"],
  ["full", named, "full"],
  ["ask", undefined, "ask"],
  ["ask", few, "ask"],
  ["agent", undefined, undefined],
  ["", named, undefined],
] as const)("reads %j as a mode", (typed, declared, expected) => {
  expect(modeNamed(typed, declared)).toBe(expected);
});

test("cycles through the agent's own modes, else through all but full", () => {
  const walk = (from: Mode, declared: Parameters<typeof modeAfter>[1], steps: number): (Mode | undefined)[] => {
    const seen: (Mode | undefined)[] = [];
    for (let mode: Mode | undefined = from; seen.length < steps && mode !== undefined;) {
      mode = modeAfter(mode, declared);
      seen.push(mode);
    }
    return seen;
  };
  expect(walk("ask", named, 3)).toEqual(["plan", "read", "ask"]);
  expect(walk("full", named, 1)).toEqual(["ask"]);
  expect(walk("ask", undefined, 4)).toEqual(["edits", "read", "plan", "ask"]);
  expect(modeAfter("read", few)).toBeUndefined();
});
