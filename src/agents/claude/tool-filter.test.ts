import { expect, test } from "vitest";
import { commonRules, rulesOf, settingsOf } from "./launch.ts";

test("translates canonical names, keeps the agent's own, and removes duplicates", () => {
  const { allowed, disallowed } = rulesOf({ allowed: ["edit", "Edit", "shell(git *)"], disallowed: ["mcp__files"] });
  expect(allowed).toEqual(expect.arrayContaining(["Edit", "Bash(git *)"]));
  expect(new Set(allowed).size).toBe(allowed.length);
  expect(disallowed).toEqual(["mcp__files"]);
  expect(rulesOf(undefined)).toEqual({ allowed: [], disallowed: [] });
});

test("applies all rules to all prompts without a filter for the first", () => {
  expect(commonRules({ allowed: ["Read"] })).toEqual({ allowed: ["Read"], disallowed: [] });
  expect(commonRules({ allowed: ["Read"], first: {} })).toEqual({ allowed: [], disallowed: [] });
});

test("lists all rules in the settings of a prompt, so that they replace the previous ones", () => {
  expect(settingsOf({ allowed: ["Read"], disallowed: [] })).toEqual({
    settings: { permissions: { allow: ["Read"], deny: [] } },
  });
});
