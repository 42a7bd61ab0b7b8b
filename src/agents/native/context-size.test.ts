import { expect, test } from "vitest";
import { contextSize } from "./context-size.ts";

test.each([
  ["claude-sonnet-5-5", {}, 200_000],
  ["anthropic/claude-sonnet-5-5", {}, 200_000],
  ["gemini-2.5-pro", {}, 1_048_576],
  ["llama", {}, undefined],
  ["llama", { REINS_NATIVE_CONTEXT: "32000" }, 32_000],
  ["claude-x", { REINS_NATIVE_CONTEXT: "nonsense" }, 200_000],
])("%s with %j: %s", (id, env, expected) => {
  expect(contextSize({ id }, env)).toBe(expected);
});
