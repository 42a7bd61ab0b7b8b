import { expect, test } from "vitest";
import type { AgentEntry } from "../agents/contract.ts";
import { doubts, ownName, serves } from "./models.ts";

const load = () => Promise.reject(new Error("It is not needed."));
const short: AgentEntry = { id: "a", name: "A", load, servesModel: (model) => /^(claude-|opus$)/.test(model) };
const slashed: AgentEntry = {
  id: "b",
  name: "B",
  load,
  servesModel: (model) => model.includes("/") || model.startsWith("claude-"),
  ownModel: (model) => (model.startsWith("claude-") ? `anthropic/${model}` : undefined),
};
const any: AgentEntry = { id: "c", name: "C", load };

test.each([
  [short, "opus", "opus"],
  [short, "claude-opus-5.5", "claude-opus-5-5"],
  [short, "anthropic/claude-opus-5-5", "claude-opus-5-5"],
  [short, "claude-new-9", "claude-new-9"],
  [slashed, "opus", "anthropic/claude-opus-5-5"],
  [slashed, "other/thing", "other/thing"],
  [any, "opus", "opus"],
  [undefined, "opus", "opus"],
])("%o is told %s as %s", (entry, model, own) => {
  expect(ownName(entry, model)).toBe(own);
});

test("who has a model is asked by either name", () => {
  expect(serves(short, "anthropic/claude-opus-5.5")).toBe(true);
  expect(serves(slashed, "opus")).toBe(true);
  expect(serves(any, "opus")).toBe(false);
});

test.each([
  ["opus", undefined],
  ["claude-something-new", undefined],
  ["opsu", "Did you mean opus?"],
  ["claude-opus-5-6", "Did you mean claude-opus-5-5?"],
  ["frobnicator", "passed on as it is."],
])("of %s it says %s", (model, said) => {
  if (said === undefined) expect(doubts(short, model)).toBeUndefined();
  else expect(doubts(short, model)).toContain(said);
  expect(doubts(any, model)).toBeUndefined();
  expect(doubts(short, model, [{ id: model }])).toBeUndefined();
});
