import { describe, expect, test } from "vitest";
import { chooseModel, endpointsOf, takesAnyModel } from "./endpoints.ts";
import { servesModel } from "./models.ts";

const anthropic = { ANTHROPIC_API_KEY: "a" };
const openai = { OPENAI_API_KEY: "o" };
const google = { GEMINI_API_KEY: "g" };
const own = { REINS_NATIVE_BASE_URL: "http://localhost:1234/v1/" };

describe("configured services", () => {
  test.each([
    [{}, []],
    [{ ANTHROPIC_API_KEY: "  " }, []],
    [{ REINS_NATIVE_KEY: "a key without an address" }, []],
    [anthropic, ["anthropic https://api.anthropic.com/v1 by ANTHROPIC_API_KEY"]],
    [{ ...anthropic, ANTHROPIC_BASE_URL: "http://x:1/" }, ["anthropic http://x:1/v1 by ANTHROPIC_API_KEY"]],
    [{ ...anthropic, ANTHROPIC_BASE_URL: "http://x:1/v1" }, ["anthropic http://x:1/v1 by ANTHROPIC_API_KEY"]],
    [{ ...openai, OPENAI_BASE_URL: "http://x/api" }, ["openai http://x/api by OPENAI_API_KEY"]],
    [{ GOOGLE_API_KEY: "g" }, ["google https://generativelanguage.googleapis.com/v1beta by GOOGLE_API_KEY"]],
    [{ ...google, GOOGLE_API_KEY: "g" }, ["google https://generativelanguage.googleapis.com/v1beta by GEMINI_API_KEY"]],
    [own, ["compatible http://localhost:1234/v1 by REINS_NATIVE_BASE_URL"]],
    [
      { ...google, ...own, ...anthropic },
      [
        "compatible http://localhost:1234/v1 by REINS_NATIVE_BASE_URL",
        "anthropic https://api.anthropic.com/v1 by ANTHROPIC_API_KEY",
        "google https://generativelanguage.googleapis.com/v1beta by GEMINI_API_KEY",
      ],
    ],
  ])("are found from %j", (env, expected) => {
    expect(endpointsOf(env).map(({ name, baseUrl, variable }) => `${name} ${baseUrl} by ${variable}`)).toEqual(
      expected,
    );
  });

  test.each(["not an address", "ftp://x/", "javascript:alert(1)"])("names the variable when %s is invalid", (url) => {
    expect(() => endpointsOf({ REINS_NATIVE_BASE_URL: url })).toThrow(/^REINS_NATIVE_BASE_URL is not a web address/);
  });
});

describe("model", () => {
  test.each([
    [undefined, anthropic, "anthropic/claude-sonnet-5-5"],
    [undefined, { ...google, ...openai }, "openai/gpt-5.5"],
    [undefined, { ...own, REINS_NATIVE_MODEL: "qwen3" }, "compatible/qwen3"],
    // The agent's own variables name no default model; another service may have one.
    [undefined, { ...own, ...anthropic }, "anthropic/claude-sonnet-5-5"],
    ["claude-opus-5-5", { ...anthropic, ...openai }, "anthropic/claude-opus-5-5"],
    ["gpt-6-luna", { ...anthropic, ...openai }, "openai/gpt-6-luna"],
    ["gemini-2.5-pro", { ...anthropic, ...google }, "google/gemini-2.5-pro"],
    ["o3", { ...anthropic, ...openai }, "openai/o3"],
    ["google/gemini-2.5-pro", google, "google/gemini-2.5-pro"],
    ["compatible/anthropic/claude-x", { ...own, ...anthropic }, "compatible/anthropic/claude-x"],
    ["claude-opus-5-5", own, "compatible/claude-opus-5-5"],
    ["mistral-large", openai, "openai/mistral-large"],
    ["mistralai/large", own, "compatible/mistralai/large"],
  ])("resolves %s with %j to %s", (name, env, expected) => {
    expect(chooseModel(name, env).name).toBe(expected);
  });

  test.each([
    [undefined, {}, "not_authenticated", /ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY/],
    [undefined, own, "invalid_input", /REINS_NATIVE_MODEL/],
    ["google/gemini-2.5-pro", anthropic, "not_authenticated", /^Set GEMINI_API_KEY\.$/],
    ["compatible/x", anthropic, "not_authenticated", /^Set REINS_NATIVE_BASE_URL\.$/],
    ["gpt-5.5", anthropic, "not_authenticated", /^Set OPENAI_API_KEY\.$/],
    ["frobnicator", anthropic, "model_unknown", /anthropic\/frobnicator/],
  ])("rejects %s with %j: %s", (name, env, code, help) => {
    expect(() => chooseModel(name, env)).toThrow(
      expect.objectContaining({ code, help: expect.stringMatching(help) as string }) as Error,
    );
  });
});

test.each([
  ["anthropic/claude-x", true],
  ["compatible/anything", true],
  ["claude-opus-5-5", true],
  ["gpt-5.5", true],
  ["gemini-2.5-pro", true],
  ["opus", false],
  ["scripted", false],
  ["other/thing", false],
])("decides whether the name %s selects this agent: %s", (model, expected) => {
  expect(servesModel(model)).toBe(expected);
});

test("rejects an unknown model name only when no service accepts any name", () => {
  const named = (env: Record<string, string>) => () => chooseModel("no-such-model", env);
  for (const env of [anthropic, google]) {
    expect(takesAnyModel(env)).toBe(false);
    expect(named(env)).toThrow(expect.objectContaining({ code: "model_unknown" }));
  }
  for (const env of [openai, own, { ...anthropic, ...openai }]) {
    expect(takesAnyModel(env)).toBe(true);
    expect(named(env)).not.toThrow();
  }
  expect(takesAnyModel({})).toBe(false);
  // The error is reported when the service is used.
  expect(takesAnyModel({ REINS_NATIVE_BASE_URL: "nonsense" })).toBe(true);
});
