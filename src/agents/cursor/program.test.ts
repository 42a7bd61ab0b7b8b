import { expect, test } from "vitest";
import { isAtLeast } from "../shared/program/version.ts";
import { aboutIn } from "./manage.ts";
import { cursorVersionIn, keyOf, signInIn } from "./program.ts";

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
] as const)("reads the sign-in from %s", ([said, who]) => {
  expect(signInIn(said)).toMatchObject(who);
});

test("says what to do when not signed in", () => {
  expect(signInIn("Not logged in").help).toMatch(/reins login cursor.*CURSOR_API_KEY/);
});

test("counts a key by its variable without showing its value", () => {
  expect(keyOf({})).toBeUndefined();
  expect(keyOf({ CURSOR_API_KEY: "" })).toBeUndefined();
  expect(keyOf({ CURSOR_API_KEY: "crsr_secret" })).toEqual({
    signedIn: "yes",
    signedInHow: "API key (CURSOR_API_KEY)",
  });
  expect(keyOf({ CURSOR_AUTH_TOKEN: "secret" })).toEqual({ signedIn: "yes", signedInHow: "token (CURSOR_AUTH_TOKEN)" });
});

test("reports text facts about itself", () => {
  const about = { cliVersion: "x", latestVersion: "2026.10.22-27dcf5f", model: "Composer", subscriptionTier: null };
  expect(aboutIn(JSON.stringify(about))).toEqual([
    { label: "model", value: "Composer" },
    { label: "newest version", value: "2026.10.22-27dcf5f" },
  ]);
  expect(aboutIn("no JSON")).toEqual([]);
});

test.for([
  ["2026.10.01-e373342\n", "2026.10.01-e373342"],
  ["2026.06.15-18-00-12-6f5a2cf", "2026.06.15-18-00-12-6f5a2cf"],
  ["grok-build 0.4.1", undefined],
  ["agent version 2.1.0", undefined],
  ["1.2.3", undefined],
  ["2026.10.01", undefined],
  ["my agent 2026.10.01-e373342", undefined],
  ["", undefined],
] as const)("reads %j as the version %s", ([said, version]) => {
  expect(cursorVersionIn(said)).toBe(version);
});

test("compares dates as numbers", () => {
  expect(isAtLeast("2026.10.01-e373342", "2026.09.30")).toBe(true);
  expect(isAtLeast("2026.09.02-c22c1a3", "2026.09.30")).toBe(false);
});
