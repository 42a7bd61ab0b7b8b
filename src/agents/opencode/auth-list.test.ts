import { expect, test } from "vitest";
import { credentialsIn, signIn } from "./auth-list.ts";

/** As 1.18.33 printed it. */
const some = [
  "┌  Credentials \x1b[90m~/.local/share/opencode/auth.json",
  "│",
  "●  Anthropic \x1b[90mapi",
  "│",
  "●  GitHub Copilot \x1b[90moauth",
  "│",
  "└  2 credentials",
  "",
  "┌  Environment",
  "│",
  "●  OpenAI \x1b[90mOPENAI_API_KEY",
  "│",
  "└  1 environment variable",
  "",
  "\x1b[0m",
].join("\n");
const none = "┌  Credentials \x1b[90m~/.local/share/opencode/auth.json\n│\n└  0 credentials\n\n\x1b[0m\n";

test("who is signed in where", () => {
  expect(credentialsIn(some)).toEqual(["Anthropic (api)", "GitHub Copilot (oauth)", "OpenAI (OPENAI_API_KEY)"]);
  expect(signIn(some)).toEqual({
    signedIn: "yes",
    signedInHow: "Anthropic (api), GitHub Copilot (oauth), OpenAI (OPENAI_API_KEY)",
  });
});

test("nobody, or something else", () => {
  expect(signIn(none)).toEqual({ signedIn: "unknown" });
  expect(signIn("")).toEqual({ signedIn: "unknown" });
  expect(signIn("command not found")).toEqual({ signedIn: "unknown" });
});
