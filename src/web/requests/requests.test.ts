import { describe, expect, test } from "vitest";
import { ruleWords } from "./permission-forms.tsx";
import { answersOf, nothingChosen, takesText, toggled, written } from "./question-form.tsx";

const one = { id: "q1", text: "Which?", options: [{ label: "A" }, { label: "B" }], multiple: false };
const many = { ...one, id: "q2", multiple: true };
const open = { id: "q3", text: "Why?", options: [], multiple: false };

describe("answers to questions", () => {
  test("keep the last choice of a single-choice question, or the typed text", () => {
    const b = toggled(one, toggled(one, nothingChosen, "A"), "B");
    expect(answersOf([one], { q1: b })).toEqual({ q1: "B" });
    const own = written(one, b, "C");
    expect(answersOf([one], { q1: own })).toEqual({ q1: "C" });
    expect(toggled(one, own, "A")).toEqual({ options: ["A"], text: "" });
  });
  test("keep all choices of a multiple-choice question, and toggle one off", () => {
    const both = toggled(many, toggled(many, nothingChosen, "A"), "B");
    expect(answersOf([many], { q2: written(many, both, " C ") })).toEqual({ q2: ["A", "B", "C"] });
    expect(answersOf([many], { q2: toggled(many, both, "A") })).toEqual({ q2: ["B"] });
  });
  test("are incomplete while one is missing", () => {
    expect(answersOf([one, open], { q1: toggled(one, nothingChosen, "A") })).toBeUndefined();
    expect(answersOf([open], { q3: written(open, nothingChosen, "  ") })).toBeUndefined();
  });
  test("accept text when there are no options, or when text is allowed", () => {
    expect([one, open, { ...one, free: true }].map(takesText)).toEqual([false, true, true]);
  });
});

describe("ruleWords", () => {
  const option = { id: "1", kind: "allow_always" as const, label: "Always", rule: "allow shell ls" };
  test('describes the scope of an "always" option and the rule it adds', () => {
    expect(ruleWords({ ...option, scope: "project" })).toBe("In this folder: adds the rule “allow shell ls”");
    expect(ruleWords({ ...option, scope: "session", rule: "edits" })).toBe("In this session: allows “edits”");
    expect(ruleWords({ ...option, rule: undefined })).toBe("Remembered by the agent");
  });
});
