import { expect, test } from "vitest";
import { isAlias, unifiedModel, unifiedModels } from "./models.ts";

test.each([
  ["opus", "claude-opus-5-5"],
  ["OPUS", "claude-opus-5-5"],
  ["claude-opus-5.5", "claude-opus-5-5"],
  ["anthropic/claude-opus-5-5", "claude-opus-5-5"],
  ["openai/gpt-5-5", "gpt-5.5"],
  ["gpt", "gpt-6.1-sol"],
  ["openai/claude-opus-5-5", undefined],
  ["claude-opus-4-1", undefined],
  ["", undefined],
])("resolves %s to %s", (name, id) => {
  expect(unifiedModel(name)?.id).toBe(id);
});

test("finds exactly one row for every name", () => {
  const names = unifiedModels.flatMap(({ id, aliases = [] }) => [id, ...aliases]);
  expect(new Set(names).size).toBe(names.length);
  for (const model of unifiedModels) expect(unifiedModel(model.id)).toBe(model);
});

test("distinguishes a short name from an id", () => {
  expect(isAlias("sonnet")).toBe(true);
  expect(isAlias("claude-sonnet-5-5")).toBe(false);
});
