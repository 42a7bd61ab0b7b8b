import { expect, test } from "vitest";
import type { AgentEntry } from "../../agents/contract.ts";
import { agentEntries } from "../../agents/index.ts";
import { doubts, ownName, serves } from "./model-names.ts";

const load = () => Promise.reject(new Error("It is not needed."));
const short: AgentEntry = {
  id: "a",
  name: "A",
  load,
  servesModel: (model) => /^(claude-|opus$)/.test(model),
  ownModel: (model) => (model === "opus" ? model : undefined),
};
const family: AgentEntry = { id: "d", name: "D", load, servesModel: (model) => /^(google\/|gemini-)/.test(model) };
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
  [short, "OPUS", "opus"],
  [short, "claude-opus-5.5", "claude-opus-5-5"],
  // The agent has models with this prefix, but none of this name.
  [family, "gemini-pro", "gemini-3.1-pro-preview"],
  [family, "google/gemini-2.5-pro", "google/gemini-2.5-pro"],
  [family, "google/gemini-pro", "google/gemini-3.1-pro-preview"],
  [short, "anthropic/claude-opus-5-5", "claude-opus-5-5"],
  [short, "claude-new-9", "claude-new-9"],
  [slashed, "opus", "anthropic/claude-opus-5-5"],
  [slashed, "other/thing", "other/thing"],
  [any, "opus", "opus"],
  [undefined, "opus", "opus"],
])("%o gets %s as %s", (entry, model, own) => {
  expect(ownName(entry, model)).toBe(own);
});

test.each([
  ["claude", "opus", "opus"],
  ["claude-acp", "sonnet", "sonnet"],
  ["gemini", "gemini-pro", "pro"],
  ["gemini", "gemini-2-5-pro", "gemini-2.5-pro"],
  ["opencode", "gemini-pro", "google/gemini-3.1-pro-preview"],
  ["opencode", "anthropic/opus", "anthropic/claude-opus-5-5"],
  ["copilot", "opus", "claude-opus-5.5"],
  ["qwen", "qwen-coder", "qwen3-coder-plus"],
  ["pi", "openai/gpt-5-5", "openai/gpt-5.5"],
])("%s gets %s as %s", (id, model, own) => {
  const entry = agentEntries.find((one) => one.id === id);
  expect(ownName(entry, model)).toBe(own);
});

test("recognises a model by either name", () => {
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
  ["gpt", "not a model that Reins knows of A"],
])("warns about %s: %s", (model, said) => {
  if (said === undefined) expect(doubts(short, model)).toBeUndefined();
  else expect(doubts(short, model)).toContain(said);
  expect(doubts(any, model)).toBeUndefined();
  expect(doubts(short, model, [{ id: model }])).toBeUndefined();
});
