import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { findModel, servesModel } from "./models.ts";
import { modelsIn, signInFrom } from "./program.ts";

const printed = (name: string) => readFileSync(`test/fixtures/pi/${name}.txt`, "utf8");

test("parses the table of models", () => {
  const models = modelsIn(printed("list-models"));
  expect(models).toHaveLength(22);
  expect(models[0]).toEqual({
    id: "anthropic/claude-fable-5",
    label: "claude-fable-5",
    provider: "anthropic",
    thinking: true,
    contextSize: 1_000_000,
  });
  expect(modelsIn(printed("list-models-none"))).toEqual([]);
  expect(modelsIn("")).toEqual([]);
  expect(modelsIn("provider  model\nbroken")).toEqual([]);
});

test("finds the signed-in services", () => {
  expect(signInFrom(printed("list-models"))).toEqual({ signedIn: "yes", signedInHow: "anthropic, groq" });
  expect(signInFrom(printed("list-models-none"))).toMatchObject({ signedIn: "no" });
  expect(signInFrom("something else")).toEqual({ signedIn: "unknown" });
});

const available = [
  { provider: "anthropic", id: "opus" },
  { provider: "router", id: "opus" },
  { provider: "router", id: "odd:high" },
  { provider: "router" },
  "broken",
];

test.for<[string, string | undefined, object | undefined]>([
  ["router/opus", undefined, { model: { provider: "router", id: "opus" }, level: undefined }],
  ["opus", "anthropic/other", { model: { provider: "anthropic", id: "opus" } }],
  ["opus", "groq/other", undefined],
  ["opus:high", "router/x", { model: { provider: "router", id: "opus" }, level: "high" }],
  ["odd:high", undefined, { model: { provider: "router", id: "odd:high" }, level: undefined }],
  ["opus:hard", "router/x", undefined],
  ["nothing", "router/x", undefined],
])("resolves %s beside %s", ([name, current, expected]) => {
  const found = findModel(name, available, current);
  if (expected === undefined) expect(found).toBeUndefined();
  else expect(found).toMatchObject(expected);
});

test.for<[string, boolean]>([
  ["claude-opus-5-5", true],
  ["gpt-6.1-sol", true],
  ["openrouter/qwen/qwen3-coder", true],
  ["scripted", false],
  ["opus", false],
  ["nobody/x", false],
])("decides whether %s is served: %s", ([model, served]) => expect(servesModel(model)).toBe(served));
