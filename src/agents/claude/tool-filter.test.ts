import { expect, test } from "vitest";
import { commonRules, rulesOf, settingsOf } from "./launch.ts";

test("canonical names become the agent's, its own stay, and nothing is there twice", () => {
  const { allowed, disallowed } = rulesOf({ allowed: ["edit", "Edit", "shell(git *)"], disallowed: ["mcp__files"] });
  expect(allowed).toEqual(expect.arrayContaining(["Edit", "Bash(git *)"]));
  expect(new Set(allowed).size).toBe(allowed.length);
  expect(disallowed).toEqual(["mcp__files"]);
  expect(rulesOf(undefined)).toEqual({ allowed: [], disallowed: [] });
});

test("without a filter for the first prompt all rules hold for all", () => {
  expect(commonRules({ allowed: ["Read"] })).toEqual({ allowed: ["Read"], disallowed: [] });
  expect(commonRules({ allowed: ["Read"], first: {} })).toEqual({ allowed: [], disallowed: [] });
});

test("the settings of a prompt say everything, so that they replace those before", () => {
  expect(settingsOf({ allowed: ["Read"], disallowed: [] })).toEqual({
    settings: { permissions: { allow: ["Read"], deny: [] } },
  });
});
