import { describe, expect, it } from "vitest";
import { checkedRules, faultOf, loadRules } from "./load-rules.ts";
import type { Rule } from "./rule.ts";
import type { SavedAnswers } from "./saved-answers.ts";

describe("an invalid rule", () => {
  it.each<[unknown, string]>([
    ["deny", "it must be an object"],
    [null, "it must be an object"],
    [[], "it must be an object"],
    [{ decision: "deny", comand: "rm" }, "there is no key comand; did you mean command"],
    [{ decision: "deny", xyzzyx: "rm" }, "there is no key xyzzyx; there are decision, agent, tool,"],
    [{ decision: "maybe" }, "decision must be one of allow, deny, ask"],
    [{ decision: "deny", command: "" }, "command must be text, or a list of texts"],
    [{ decision: "deny", path: [] }, "path must be text, or a list of texts"],
    [{ decision: "deny", tool: ["shell", "hammer"] }, 'there is no tool "hammer"; there are '],
    [{ decision: "deny", dynamic: false }, "dynamic must be true"],
    [{ decision: "deny", reason: 1 }, "reason must be text"],
  ])("%j: reports %s", (value, why) => {
    expect(faultOf(value)?.startsWith(why)).toBe(true);
  });

  it("is reported with its position", () => {
    const fine: Rule = { decision: "deny", command: ["rm", "dd"], dynamic: true, reason: "No." };
    expect(checkedRules([fine])).toEqual([fine]);
    expect(() => checkedRules([fine, {} as Rule])).toThrow(
      "Rule 2 of the call cannot be used: decision must be one of",
    );
  });
});

it("reports which rules of others are ignored", () => {
  const rule: Rule = { decision: "allow", tool: "read" };
  const kept = [
    { rule, stale: true, line: "" },
    { rule, stale: false, line: "" },
  ] as const;
  const answers = (stale: number, unreadable: number) =>
    ({ path: "/answers", read: () => ({ kept: kept.slice(1 - stale), unreadable }) }) as unknown as SavedAnswers;
  const files = {
    project: { path: "/p", value: { policy: { rules: [rule, { decision: "ask", tool: "read" }] } } },
  } as const;
  const one = loadRules({ files, answers: answers(1, 1) });
  expect(one.rules.map(({ source }) => source)).toEqual(["project", "answer"]);
  expect(one.remarks).toEqual([
    "The project has rules that allow something (allow read); only you can do that, so they are ignored.",
    "The folder was recreated since you answered `always` in it; 1 answer is ignored.",
    "1 answer is ignored, because /answers has lines that cannot be read.",
  ]);
  expect(loadRules({ files: {}, answers: answers(0, 2) }).remarks).toEqual([
    "2 answers are ignored, because /answers has lines that cannot be read.",
  ]);
});
