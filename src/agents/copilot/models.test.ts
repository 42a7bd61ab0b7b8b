import { expect, test } from "vitest";
import { ownModel, servesModel } from "./models.ts";

test.each([
  ["claude-opus-5-5", "claude-opus-5.5"],
  ["claude-sonnet-4-6", "claude-sonnet-4.6"],
  ["claude-opus-4-8-fast", "claude-opus-4.8-fast"],
  ["claude-opus-5.5", undefined],
  ["claude-sonnet-5", undefined],
  ["gpt-6.1-sol", undefined],
])("spells %s as %s", (model, own) => {
  expect([servesModel(model), ownModel(model)]).toEqual([true, own]);
});

test.each(["gemini-3.8-flash", "grok-4.7", "kimi-k3", "mai-code-1.1-flash"])("serves %s", (model) => {
  expect(servesModel(model)).toBe(true);
});

test.each(["opus", "default", "scripted", "qwen3-coder-plus", "", "my-claude-opus-5"])(
  "has no own spelling for %j",
  (model) => {
    expect(servesModel(model)).toBe(false);
  },
);
