import { expect, it } from "vitest";
import type { Agent } from "../../agents/contract.ts";
import { noCapabilities, type Hold } from "../../events/capabilities.ts";
import type { ToolKind } from "../../events/tools.ts";
import { Compiled } from "./compile.ts";
import { deniedTools, enforceabilityOf, refuseUnenforced } from "./enforceability.ts";
import type { Rule } from "./rule.ts";

function held(hold: Partial<Record<ToolKind, Hold>>, toolFilter: boolean, ...rules: Rule[]) {
  const capabilities = { ...noCapabilities, toolFilter, hold: { ...noCapabilities.hold, ...hold } };
  const agent = { id: "one", name: "One", capabilities } as unknown as Agent;
  return enforceabilityOf(
    agent,
    new Compiled(
      rules.map((rule) => ({ rule, source: "person" })),
      "one",
      { cwd: "/w" },
    ),
  );
}
const files = { read: "every", edit: "every", delete: "every", move: "every", search: "every" } as const;

it("is complete when every call waits", () => {
  const nothing = { disallowed: [], unenforced: [], unasked: [] };
  expect(held({ execute: "every" }, false, { decision: "deny", command: "rm" })).toEqual(nothing);
  expect(held(files, false, { decision: "deny", path: ".env" })).toEqual(nothing);
  expect(held({ edit: "every" }, false, { decision: "deny", tool: "edit", path: ".env" })).toEqual(nothing);
  expect(held({}, false, { decision: "deny", tool: "shell", agent: "other" })).toEqual(nothing);
  expect(held({}, false, { decision: "allow", tool: "shell" })).toEqual(nothing);
});

it.each<[Hold, string]>([
  ["unsafe_only", "it asks only about calls that it considers unsafe (shell)"],
  ["sandbox", "it runs them without asking, inside its own sandbox (shell)"],
  ["launch_flags", "its permissions are fixed when it starts (shell)"],
  ["none", "it does not wait before it runs them (shell)"],
])("reports a rule that hold %s cannot enforce", (hold, why) => {
  const rule: Rule = { decision: "deny", command: "rm" };
  expect(held({ execute: hold }, true, rule).unenforced).toEqual([
    `One cannot enforce the rule "deny shell rm": ${why}`,
  ]);
});

it("removes a denied tool as a whole, unless an earlier rule makes an exception", () => {
  const deny: Rule = { decision: "deny", tool: "shell" };
  expect(held({ execute: "none" }, true, deny)).toEqual({ disallowed: ["shell"], unenforced: [], unasked: [] });
  expect(held({ execute: "none" }, false, deny).unenforced).toHaveLength(1);
  expect(held({ execute: "none" }, true, { decision: "allow", command: "ls" }, deny).unenforced).toHaveLength(1);
});

it("reports calls that may run although a rule asks", () => {
  const { unenforced, unasked } = held({ read: "none" }, true, { decision: "ask", tool: "read", path: "x" });
  expect(unenforced).toEqual([]);
  expect(unasked).toHaveLength(1);
});

it("refuses in one sentence", () => {
  const rules: Rule[] = [
    { decision: "deny", command: "rm" },
    { decision: "deny", tool: "read", path: "x" },
  ];
  const agent = { id: "one", name: "One" } as unknown as Agent;
  expect(() => refuseUnenforced(agent, held({}, false, ...rules))).toThrow(
    expect.objectContaining({
      code: "unsupported",
      message: expect.stringMatching(/^One cannot enforce .* \(and 1 more\)\.$/),
    }),
  );
});

it("makes rules of canonical tool names and reports the others", () => {
  expect(deniedTools(["shell", "shell(git push *)", "mcp__github", "mcp__github__create_issue", "Bash"])).toEqual({
    rules: [
      { decision: "deny", tool: "shell" },
      { decision: "deny", command: "git push *" },
      { decision: "deny", mcp: "github" },
      { decision: "deny", mcp: "github/create_issue" },
    ],
    unknown: ["Bash"],
  });
  expect(deniedTools()).toEqual({ rules: [], unknown: [] });
});
