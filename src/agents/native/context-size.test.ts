import { expect, test } from "vitest";
import { contextSize } from "./endpoints.ts";

test.each([
  ["claude-sonnet-5-5", {}, 200_000],
  ["anthropic/claude-sonnet-5-5", {}, 200_000],
  ["gemini-2.5-pro", {}, 1_048_576],
  ["claude-opus-5-5", {}, 1_000_000],
  ["anthropic/claude-opus-5.5", {}, 1_000_000],
  ["openrouter/anthropic/claude-haiku-4-5", {}, 200_000],
  ["deepseek/deepseek-v4-pro", {}, 1_000_000],
  ["gpt-6-luna", {}, 272_000],
  ["gpt-9-new", {}, 272_000],
  ["llama", {}, undefined],
  ["llama", { REINS_NATIVE_CONTEXT: "32000" }, 32_000],
  ["claude-x", { REINS_NATIVE_CONTEXT: "nonsense" }, 200_000],
])("finds the size of %s with %j: %s", (id, env, expected) => {
  expect(contextSize({ id }, env)).toBe(expected);
});
