import { expect, test } from "vitest";
import { ownModel, servesModel } from "./models.ts";
import { Catalog } from "./program.ts";

test.each([
  ["anthropic/claude-opus-5-5", true, undefined],
  ["opencode/space-bunny-free", true, undefined],
  ["claude-opus-5-5", true, "anthropic/claude-opus-5-5"],
  ["gpt-6.1-sol", true, "openai/gpt-6.1-sol"],
  ["gemini-3.5-flash", true, "google/gemini-3.5-flash"],
  ["qwen3-coder-plus", false, undefined],
  ["nobody/nothing", false, undefined],
])("decides whether %s is served: %s, and spells it %s", (model, served, own) => {
  expect(servesModel(model)).toBe(served);
  expect(ownModel(model)).toBe(own);
});

const model = (name: string, more: object = {}) => ({ name, limit: { context: 128_000 }, ...more });
const catalog = new Catalog({
  providers: [
    {
      id: "a",
      name: "A",
      models: {
        one: model("One", { capabilities: { reasoning: true }, variants: { low: {}, high: {} } }),
        both: model("Both"),
        "with:colon": model("Colon", { limit: {} }),
      },
    },
    { id: "b", models: { both: model("Both of B", { capabilities: { reasoning: true } }) } },
    { models: {} },
    7,
  ],
  default: { a: "one" },
});

test.each([
  ["a/one", { providerID: "a", modelID: "one" }],
  ["one", { providerID: "a", modelID: "one" }],
  ["a/one:high", { providerID: "a", modelID: "one", variant: "high" }],
  ["one:low", { providerID: "a", modelID: "one", variant: "low" }],
  ["a/with:colon", { providerID: "a", modelID: "with:colon" }],
  ["a/one:medium", undefined],
  ["both", undefined],
  ["b/both", { providerID: "b", modelID: "both" }],
  ["nope", undefined],
  ["", undefined],
])("resolves %s to %j", (name, meant) => expect(catalog.find(name)).toEqual(meant));

test("lists the service, thinking levels and context size of a model", () => {
  expect(catalog.list("b/both")).toMatchObject([
    { id: "a/one", label: "One", provider: "A", default: true, thinking: ["low", "high"], contextSize: 128_000 },
    { id: "a/both", thinking: false },
    { id: "a/with:colon", contextSize: undefined },
    { id: "b/both", provider: "b", current: true, thinking: true },
  ]);
  expect([...catalog.contextSizes]).toEqual([
    ["a/one", 128_000],
    ["a/both", 128_000],
    ["b/both", 128_000],
  ]);
  expect(catalog.labelOf("a/one")).toBe("One");
  expect(new Catalog(undefined).list(undefined)).toEqual([]);
});
