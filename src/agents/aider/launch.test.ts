import { expect, test } from "vitest";
import { failures } from "./failures.ts";
import { argumentsOf } from "./launch.ts";
import { environmentOf, signInBy } from "./program.ts";

test("starts with a plain screen, the model and further arguments", () => {
  const args = argumentsOf({ model: "sonnet", extraArgs: ["--subtree-only"] });
  expect(args).toEqual(expect.arrayContaining(["--no-fancy-input", "--no-pretty", "--no-stream", "--no-check-update"]));
  expect(args.slice(-3)).toEqual(["--model", "sonnet", "--subtree-only"]);
});

test.each(["--yes", "--yes-always", "--yes-always=true", "--message", "-m", "--pretty", "--gui"])(
  "rejects %s, which answers for the user or changes the screen",
  (argument) => {
    expect(() => argumentsOf({ extraArgs: [argument] })).toThrow("driven by its screen");
  },
);

test("passes keys, but no variables that answer its questions", () => {
  const env = environmentOf({ PATH: "/bin", AIDER_YES_ALWAYS: "1", AIDER_YES: "1", OPENAI_API_KEY: "k", SECRET: "s" });
  expect(env).toMatchObject({ OPENAI_API_KEY: "k", TERM: "xterm-256color" });
  expect(Object.keys(env).filter((name) => /YES|SECRET/.test(name))).toEqual([]);
});

test("counts a key in a variable as a sign-in, and knows nothing without one", () => {
  expect(signInBy({ GEMINI_API_KEY: "k" })).toEqual({ signedIn: "yes", signedInHow: "API key (GEMINI_API_KEY)" });
  expect(signInBy({})).toEqual({ signedIn: "unknown" });
});

test.each([
  ["litellm.AuthenticationError: AnthropicException - invalid x-api-key", "not_authenticated"],
  ["litellm.RateLimitError: too many requests", "rate_limited"],
  ["litellm.ContextWindowExceededError: too long", "context_too_long"],
  ["litellm.NotFoundError: no such model", "model_unknown"],
  ["litellm.InternalServerError: overloaded", "overloaded"],
  ["litellm.APIConnectionError: refused", "network"],
])("classifies %s as %s", (text, code) => {
  expect(failures.ending({ text })).toMatchObject({ outcome: "failed", error: { code, agent: "aider" } });
});
