import { expect, test } from "vitest";
import { aboutIn } from "./about.ts";
import { keyOf, signInIn } from "./sign-in.ts";

const status = (more: object) => JSON.stringify({ hasAccessToken: true, hasRefreshToken: true, ...more });

test.for([
  [
    status({ isAuthenticated: true, userInfo: { email: "ada@example.org", userId: 1 } }),
    { signedIn: "yes", signedInHow: "account ada@example.org" },
  ],
  [status({ isAuthenticated: true }), { signedIn: "yes", signedInHow: "account" }],
  [status({ isAuthenticated: false, message: "Not logged in" }), { signedIn: "no" }],
  ["\u001b[32m✓\u001b[0m Logged in as ada@example.org\n", { signedIn: "yes", signedInHow: "account ada@example.org" }],
  ["Not logged in\n", { signedIn: "no" }],
  ["error: unknown option '--format'", { signedIn: "unknown" }],
  ["", { signedIn: "unknown" }],
  ["[1,2]", { signedIn: "unknown" }],
] as const)("%s", ([said, who]) => {
  expect(signInIn(said)).toMatchObject(who);
});

test("who is not signed in is told what to do", () => {
  expect(signInIn("Not logged in").help).toMatch(/reins login cursor.*CURSOR_API_KEY/);
});

test("a key counts by its variable, and what it holds is not told", () => {
  expect(keyOf({})).toBeUndefined();
  expect(keyOf({ CURSOR_API_KEY: "" })).toBeUndefined();
  expect(keyOf({ CURSOR_API_KEY: "crsr_secret" })).toEqual({
    signedIn: "yes",
    signedInHow: "API key (CURSOR_API_KEY)",
  });
  expect(keyOf({ CURSOR_AUTH_TOKEN: "secret" })).toEqual({ signedIn: "yes", signedInHow: "token (CURSOR_AUTH_TOKEN)" });
});

test("what it tells about itself, as far as it is text", () => {
  const about = { cliVersion: "x", latestVersion: "2026.10.22-27dcf5f", model: "Composer", subscriptionTier: null };
  expect(aboutIn(JSON.stringify(about))).toEqual([
    { label: "model", value: "Composer" },
    { label: "newest version", value: "2026.10.22-27dcf5f" },
  ]);
  expect(aboutIn("no JSON")).toEqual([]);
});
