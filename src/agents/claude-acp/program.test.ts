import { expect, test } from "vitest";
import { signInBy, signInOf } from "./program.ts";

test.each([
  ['{"loggedIn":true,"authMethod":"api_key","apiKeySource":"ANTHROPIC_API_KEY"}', "yes", "api_key (ANTHROPIC_API_KEY)"],
  ['{"loggedIn":true,"authMethod":"claude.ai"}', "yes", "claude.ai"],
  ['{"loggedIn":false}', "no", undefined],
  ["Welcome", "unknown", undefined],
])("reads the sign-in %s", (stdout, signedIn, signedInHow) => {
  expect(signInOf(stdout)).toMatchObject({ signedIn, ...(signedInHow !== undefined && { signedInHow }) });
});

test("reports a key or a token in a variable without starting its program", () => {
  expect(signInBy({ ANTHROPIC_API_KEY: "made-up" })).toEqual({
    signedIn: "yes",
    signedInHow: "API key (ANTHROPIC_API_KEY)",
  });
  expect(signInBy({ CLAUDE_CODE_OAUTH_TOKEN: "made-up" })).toMatchObject({
    signedInHow: "token (CLAUDE_CODE_OAUTH_TOKEN)",
  });
  expect(signInBy({ ANTHROPIC_API_KEY: "" })).toBeUndefined();
  expect(signInBy({ ANTHROPIC_API_KEY: "made-up", CLAUDE_CODE_USE_BEDROCK: "1" })).toBeUndefined();
});
