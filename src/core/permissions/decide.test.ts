import { describe, expect, it, test } from "vitest";
import type { Verdict } from "../policy/decide.ts";
import { modes, type Mode } from "../../events/modes.ts";
import { toolKinds, tools, type Tool } from "../../events/tools.ts";
import { decide, followedMode, type CallFacts, type DecisionContext } from "./decide.ts";

type Where = NonNullable<CallFacts["where"]>;
const places: readonly (Where | undefined)[] = ["ordinary", "protected", "outside", undefined];

const context = (mode: Mode, more: Partial<DecisionContext> = {}): DecisionContext => ({
  mode,
  chosenMode: mode,
  judge: "reins",
  kind: "hold",
  ...more,
});
const decisions = (call: CallFacts, more: Partial<DecisionContext> = {}) =>
  modes.map((mode) => decide(call, context(mode, more)).decision).join(" ");
const rule = (decision: Verdict["decision"]): Verdict => ({
  decision,
  source: "person",
  rule: { decision, tool: "*" } as unknown as Verdict["rule"],
  number: 1,
  what: "x",
});

/**
 * Decisions by mode: read, plan, ask, edits, full. Every tool of a group is decided alike; each cell is checked for
 * each tool of its group.
 */
const groups: Readonly<Record<string, readonly Tool[]>> = {
  look: ["read", "list", "glob", "grep"],
  think: ["plan", "task", "memory"],
  fetch: ["web_search", "web_fetch"],
  mode: ["mode"],
  question: ["question"],
  edit: ["write", "edit", "notebook"],
  "delete, move": ["delete", "move"],
  execute: ["shell"],
  other: ["mcp", "image", "other"],
};

test("puts every tool into one group", () => {
  expect(Object.values(groups).flat().sort()).toEqual([...tools].sort());
});

type Row = readonly [group: string, where: Where | undefined, byMode: string];
const reins: readonly Row[] = [
  ["look", "ordinary", "allow allow allow allow allow"],
  ["look", "protected", "allow allow allow allow allow"],
  ["look", "outside", "ask ask ask ask allow"],
  ["look", undefined, "allow allow allow allow allow"],
  ...places.map((where) => ["think", where, "allow allow allow allow allow"] as const),
  ...places.map((where) => ["question", where, "allow allow allow allow allow"] as const),
  ...places.map((where) => ["fetch", where, "ask ask ask ask allow"] as const),
  ...places.map((where) => ["mode", where, "ask ask ask ask allow"] as const),
  ["edit", "ordinary", "deny deny ask allow allow"],
  ["edit", "protected", "deny deny ask ask allow"],
  ["edit", "outside", "deny deny ask ask allow"],
  ["edit", undefined, "deny deny ask ask allow"],
  ...places.map((where) => ["delete, move", where, "deny deny ask ask allow"] as const),
  ...places.map((where) => ["execute", where, "deny deny ask ask allow"] as const),
  ...places.map((where) => ["other", where, "deny deny ask ask allow"] as const),
];

describe("judge reins: every mode, group of tools and location", () => {
  test("the table is complete", () => {
    expect(new Set(reins.map(([group, where]) => `${group} ${where}`)).size).toBe(
      Object.keys(groups).length * places.length,
    );
  });

  test.each(reins)("%s, %s: %s", (group, where, byMode) => {
    for (const tool of groups[group]!) expect([tool, decisions({ tool, where })]).toEqual([tool, byMode]);
  });

  test.each([
    ["look", "ordinary", "ask ask ask ask allow"],
    ["think", undefined, "ask ask ask ask allow"],
    ["edit", "ordinary", "deny deny ask ask allow"],
    ["execute", undefined, "deny deny ask ask allow"],
  ] as const)("a tool that is %s by name only, %s: %s", (group, where, byMode) => {
    for (const tool of groups[group]!) expect(decisions({ tool, where, guessed: true })).toBe(byMode);
  });

  test.each([
    ["shell", undefined, "deny deny allow allow allow"],
    ["write", "ordinary", "deny deny allow allow allow"],
    ["write", "protected", "deny deny ask ask allow"],
    ["write", "outside", "deny deny ask ask allow"],
    ["read", "outside", "ask ask ask ask allow"],
    ["web_fetch", undefined, "ask ask allow allow allow"],
  ] as const)("%s, %s, allowed by the caller's filter: %s", (tool, where, byMode) => {
    expect(decisions({ tool, where, filter: "allowed" })).toBe(byMode);
  });

  test.each(tools)("never runs %s when the caller's filter disallows it", (tool) => {
    expect(decisions({ tool, name: "x", filter: "disallowed", remembered: true, rule: rule("allow") })).toBe(
      "deny deny deny deny deny",
    );
    expect(decide({ tool, name: "x", filter: "disallowed" }, context("full")).message).toBe(
      "The tool x is not allowed here.",
    );
  });

  test.each([
    ["shell", undefined, "deny deny allow allow allow"],
    ["write", "protected", "deny deny allow allow allow"],
    ["read", "outside", "allow allow allow allow allow"],
    ["web_fetch", undefined, "allow allow allow allow allow"],
  ] as const)("%s, %s, allowed by the user for the session: %s", (tool, where, byMode) => {
    expect(decisions({ tool, where, remembered: true })).toBe(byMode);
  });

  test("marks calls that only the mode allowed as unasked", () => {
    expect(decide({ tool: "read", where: "ordinary" }, context("ask"))).toEqual({ decision: "allow", unasked: true });
    expect(decide({ tool: "shell" }, context("full"))).toEqual({ decision: "allow" });
    expect(decide({ tool: "shell", remembered: true }, context("ask"))).toEqual({ decision: "allow", unasked: true });
    expect(decide({ tool: "shell", rule: rule("allow") }, context("ask"))).not.toHaveProperty("unasked");
  });
});

describe("judge agent", () => {
  const agent = { judge: "agent" } as const;
  test.each([
    ["look", "defer defer defer defer allow"],
    ["think", "defer defer defer defer allow"],
    ["fetch", "defer defer defer defer allow"],
    ["mode", "defer defer defer defer allow"],
    ["question", "defer defer defer defer defer"],
    ["edit", "deny defer defer defer allow"],
    ["delete, move", "deny defer defer defer allow"],
    ["execute", "deny ask defer defer allow"],
    ["other", "deny defer defer defer allow"],
  ])("held %s at any location: %s", (group, byMode) => {
    for (const tool of groups[group]!)
      for (const where of places) expect([tool, decisions({ tool, where }, agent)]).toEqual([tool, byMode]);
  });

  test("ignores the filter and remembered answers, which are the agent's own", () => {
    expect(decisions({ tool: "shell", filter: "disallowed", remembered: true }, agent)).toBe(
      "deny ask defer defer allow",
    );
  });
});

describe("a permission that the agent requests, with either judge", () => {
  const table: readonly Row[] = [
    ...["look", "think", "fetch", "mode", "question"].flatMap((group) =>
      places.map((where) => [group, where, "ask ask ask ask allow"] as const),
    ),
    ["edit", "ordinary", "deny deny ask allow allow"],
    ["edit", "protected", "deny deny ask ask allow"],
    ["edit", "outside", "deny deny ask ask allow"],
    ["edit", undefined, "deny deny ask ask allow"],
    ...["delete, move", "execute", "other"].flatMap((group) =>
      places.map((where) => [group, where, "deny deny ask ask allow"] as const),
    ),
  ];
  test.each(table)("%s, %s: %s", (group, where, byMode) => {
    for (const tool of groups[group]!)
      for (const judge of ["agent", "reins"] as const)
        expect([tool, decisions({ tool, where }, { judge, kind: "permission" })]).toEqual([tool, byMode]);
  });

  test("asks a person about edits of an agent that allows ordinary edits itself", () => {
    const kept = { kind: "permission", judge: "agent", keepsEdits: true } as const;
    expect(decisions({ tool: "edit", where: "ordinary" }, kept)).toBe("deny deny ask ask allow");
  });

  test("decides about a plan by the mode that the user selected", () => {
    const chosen = (chosenMode: Mode) =>
      decide({ tool: "plan" }, context("plan", { kind: "permission", chosenMode })).decision;
    expect([chosen("plan"), chosen("edits"), chosen("full")]).toEqual(["ask", "ask", "allow"]);
  });

  test("runs the user's own commands within the mode and asks about the project's", () => {
    const by = (source: "user" | "project") => decisions({ tool: "shell" }, { kind: "permission", source });
    expect(by("user")).toBe("deny deny allow allow allow");
    expect(by("project")).toBe("deny deny ask ask ask");
  });
});

describe("rules", () => {
  const all = tools.flatMap((tool) =>
    modes.flatMap((mode) =>
      (["agent", "reins"] as const).flatMap((judge) =>
        (["hold", "permission"] as const).flatMap((kind) =>
          places.map((where) => ({ call: { tool, where }, context: context(mode, { judge, kind }) })),
        ),
      ),
    ),
  );
  const order = ["deny", "ask", "defer", "allow"];

  test("a deny rule applies in every cell", () => {
    for (const { call, context: at } of all)
      expect(decide({ ...call, rule: rule("deny") }, at)).toMatchObject({ decision: "deny", rule: { number: 1 } });
  });

  test("no rule allows what the mode denies, or changes in modes read and plan", () => {
    for (const { call, context: at } of all) {
      const without = decide(call, at).decision;
      const allowed = decide({ ...call, rule: rule("allow") }, at).decision;
      if (without === "deny") expect(allowed).toBe("deny");
      const changes = ["edit", "delete", "move", "execute"].includes(toolKinds[call.tool]);
      if (changes && (at.mode === "read" || at.mode === "plan")) expect(allowed).toBe(without);
    }
  });

  test("an ask rule never widens, and does not apply to plans and questions", () => {
    for (const { call, context: at } of all) {
      const without = decide(call, at).decision;
      const asked = decide({ ...call, rule: rule("ask") }, at).decision;
      if (call.tool === "plan" || call.tool === "question") expect(asked).toBe(without);
      else if (without !== "deny") expect(asked).toBe("ask");
      expect(order.indexOf(asked)).toBeLessThanOrEqual(Math.max(order.indexOf(without), order.indexOf("ask")));
    }
  });

  test("denies everything while the turn is being cancelled", () => {
    for (const { call, context: at } of all)
      expect(decide({ ...call, rule: rule("allow") }, { ...at, cancelling: true })).toEqual({
        decision: "deny",
        message: "The turn was cancelled.",
      });
  });
});

it.each([
  // current mode, agent's mode, user's mode, plan approved, result
  ["ask", "read", "ask", false, "read"],
  ["full", "plan", "full", false, "plan"],
  ["ask", "full", "ask", false, "ask"],
  ["ask", "edits", "ask", true, "ask"],
  ["ask", "edits", "edits", false, "edits"],
  ["ask", "full", "edits", false, "ask"],
  ["read", "plan", "read", false, "read"],
  ["plan", "ask", "full", false, "full"],
  ["plan", "ask", "edits", true, "edits"],
  ["plan", "ask", "plan", false, "plan"],
  ["plan", "full", "plan", true, "ask"],
] as const)(
  "in %s the agent changes to %s, the user selected %s, plan approved: %s; result %s",
  (current, says, chosen, ok, then) => expect(followedMode(current, says, chosen, ok)).toBe(then),
);

it("never goes beyond the user's mode, or ask after an approved plan", () => {
  for (const chosen of modes)
    for (const current of modes.slice(0, modes.indexOf(chosen) + 1))
      for (const says of modes)
        for (const approved of [true, false]) {
          const limit = chosen === "plan" && approved ? "ask" : chosen;
          expect(modes.indexOf(followedMode(current, says, chosen, approved))).toBeLessThanOrEqual(
            modes.indexOf(limit),
          );
        }
});
