import { expect, it } from "vitest";
import { Compiled } from "./compile.ts";
import { unmatchableRules, describeUnmatchable } from "./unmatchable-rules.ts";
import type { Rule } from "./rule.ts";

const scope = { cwd: "/w", home: "/home/me" };
const agents = ["claude", "demo", "acp"];

function never(...rules: Rule[]): readonly string[] {
  const compiled = new Compiled(
    rules.map((rule) => ({ rule, source: "person" })),
    "demo",
    scope,
  );
  return unmatchableRules(compiled, agents).map(({ number, why }) => `${number}: ${why}`);
}

it.each<[string, Rule]>([
  ["the tool read has no command", { decision: "deny", tool: "read", command: "rm" }],
  ["the tool shell has no mcp", { decision: "deny", tool: "shell", mcp: "github" }],
  ["a call never has path and command at once; write two rules", { decision: "deny", path: "a", command: "rm" }],
  ["a rule cannot allow commands that cannot be known", { decision: "allow", dynamic: true }],
  ["only a person can answer plan requests", { decision: "allow", tool: "plan" }],
  ['"a && b" is not a valid command', { decision: "deny", command: "a && b" }],
  ['"rm $X" is not a valid command', { decision: "deny", command: "rm $X" }],
  ['"http://a.test/x" is not a valid domain', { decision: "deny", domain: "http://a.test/x" }],
  ['"/../x" is not a valid path', { decision: "deny", path: "/../x" }],
  ["there is no agent cluade; did you mean claude", { decision: "deny", agent: "cluade" }],
])("%s", (why, rule) => expect(never(rule)).toEqual([`1: ${why}`]));

it.each<[boolean, Rule, Rule]>([
  [true, { decision: "deny", command: "git" }, { decision: "allow", command: "git push" }],
  [true, { decision: "deny", command: "git *" }, { decision: "deny", command: "git push" }],
  [true, { decision: "allow", command: "git *" }, { decision: "deny", command: "git push" }],
  [true, { decision: "deny", tool: "shell" }, { decision: "allow", command: "ls" }],
  [true, { decision: "deny" }, { decision: "allow", mcp: "github/get" }],
  [true, { decision: "deny", path: "src" }, { decision: "allow", tool: "read", path: "src/a" }],
  [true, { decision: "deny", path: "**" }, { decision: "allow", tool: "edit", path: "**/*.ts" }],
  [true, { decision: "deny", tool: "edit" }, { decision: "allow", tool: "write", path: "a" }],
  [true, { decision: "deny", domain: "test" }, { decision: "allow", domain: "a.test" }],
  [true, { decision: "deny", mcp: "github" }, { decision: "allow", mcp: "github/get_*" }],
  [true, { decision: "ask", dynamic: true }, { decision: "deny", dynamic: true }],
  [true, { decision: "allow", command: "npm test" }, { decision: "allow", command: "npm test" }],
  [false, { decision: "allow", command: "npm test" }, { decision: "deny", command: "npm test" }],
  [false, { decision: "allow", command: "npm test" }, { decision: "allow", command: "npm *" }],
  [false, { decision: "deny", command: "git push" }, { decision: "deny", command: "git *" }],
  [false, { decision: "deny", command: "git push *" }, { decision: "allow", command: "git *" }],
  [false, { decision: "deny", tool: "read", path: "src" }, { decision: "deny", path: "src" }],
  [false, { decision: "deny", path: "src/*" }, { decision: "deny", path: "src/**" }],
  [false, { decision: "deny", path: "src/a.ts" }, { decision: "deny", path: "src/*.ts" }],
  [true, { decision: "deny", path: "src/*.ts" }, { decision: "deny", path: "src/*.ts" }],
  [true, { decision: "deny", path: "src/*" }, { decision: "deny", path: "src/*.ts" }],
  [false, { decision: "deny", agent: "claude" }, { decision: "deny", tool: "shell" }],
  [false, { decision: "deny", mcp: "github/get" }, { decision: "deny", mcp: "github" }],
])("an earlier rule leaves nothing to a later one is %s: %j, %j", (is, first, second) => {
  expect(never(first, second).length > 0).toBe(is);
});

it("names a few rules and counts the rest", () => {
  const rules = Array.from({ length: 9 }, (): Rule => ({ decision: "deny", command: "rm" }));
  const compiled = new Compiled(
    rules.map((rule) => ({ rule, source: "person" })),
    "demo",
    scope,
  );
  const said = describeUnmatchable(unmatchableRules(compiled, agents), compiled);
  expect(said).toHaveLength(6);
  expect(said[0]).toBe(
    "Rule 2 of the policy (deny shell rm) has no effect: rule 1 (deny shell rm) matches the same before it.",
  );
  expect(said[5]).toContain("3 more");
});

it.each<[string | undefined, Rule]>([
  ["a call never has command and dynamic at once; write two rules", { decision: "deny", command: "rm", dynamic: true }],
  ["the tool read has no command", { decision: "deny", tool: "read", dynamic: true }],
  [undefined, { decision: "ask", tool: "shell", dynamic: true }],
  [undefined, { decision: "deny", tool: "shell", agent: "acp:some program" }],
  [undefined, { decision: "deny", tool: "shell", agent: ["nobody", "claude"] }],
  ["there is no agent xyzzy", { decision: "deny", tool: "shell", agent: "xyzzy" }],
])("%s: %j", (why, rule) => {
  expect(never(rule).map((said) => said.slice(3))).toEqual(why === undefined ? [] : [why]);
});
