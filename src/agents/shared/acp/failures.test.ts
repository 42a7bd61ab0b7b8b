import { expect, test } from "vitest";
import { factsOf, signInHelpOf } from "../../../protocols/acp/failures.ts";
import { acpFailures } from "./failures.ts";

const failures = acpFailures({ agent: "some", name: "Some" });
const error = (code: number, message = "Internal error", data?: unknown) => ({ code, message, data });

test.each([
  [error(-32000, "Authentication required"), "not_authenticated", "Authentication required"],
  [error(-32002, "Resource not found"), "session_not_found", "Resource not found"],
  [error(-32601, "Method not found"), "unsupported", "Method not found"],
  [error(-32800, "Request cancelled"), "cancelled", "Request cancelled"],
  [error(-32602, "Session not found: nope"), "session_not_found", "Session not found: nope"],
  [error(-32602, "Invalid params"), "invalid_input", "Invalid params"],
  [error(401, '{"error":{"code":401,"message":"fake error 401"}}'), "not_authenticated", "fake error 401"],
  [error(429, "{broken"), "rate_limited", "{broken"],
  [error(-32603, "Internal error", { details: "401 fake error 401" }), "not_authenticated", "401 fake error 401"],
  [
    error(-32603, "Internal error: API Error: 400 fake 400 error", { errorKind: "unknown" }),
    "invalid_input",
    "400 fake 400 error",
  ],
  [
    error(-32603, "Internal error: Incorrect API key provided: sk.", { errorName: "APIError" }),
    "not_authenticated",
    "Incorrect API key provided: sk.",
  ],
  [error(-32603, "Internal error", { message: "We have high demand.\n\nMore." }), "overloaded", "We have high demand."],
  [error(-32603, "Internal error", { errorKind: "rate_limit" }), "rate_limited", "Too many requests in a short time."],
  [
    error(-32603, "Internal error", { errorKind: "billing_error" }),
    "quota_exhausted",
    "The plan's allowance or the credit is used up.",
  ],
  [
    error(-32603, "Internal error", "the model gpt-9 does not exist"),
    "model_unknown",
    "the model gpt-9 does not exist",
  ],
  [error(-32603, "prompt is too long: 300000 tokens"), "context_too_long", "prompt is too long: 300000 tokens"],
  [error(-32603, "connect ECONNREFUSED 127.0.0.1:1"), "network", "connect ECONNREFUSED 127.0.0.1:1"],
  [error(-32603, "Something odd"), "agent_error", "Something odd"],
] as const)("classifies %j as %s", (given, code, message) => {
  expect(failures.error(factsOf(given, { quirks: {} }))).toMatchObject({ code, message, agent: "some" });
});

test("prefers the data of the agent's folder, and its sign-in advice", () => {
  const known = acpFailures({
    agent: "some",
    name: "Some",
    kinds: { slow: "rate_limited" },
    help: { not_authenticated: "Run x login." },
  });
  const quirks = { failure: () => ({ kind: "slow", text: "slow", retryAfter: "2" }) };
  expect(known.error(factsOf(error(1), { quirks }), 0)).toEqual({
    code: "rate_limited",
    message: "slow",
    retryable: true,
    agent: "some",
    help: "Wait a moment and try again.",
    resetsAt: "1970-01-01T00:00:02.000Z",
  });
  expect(known.error(factsOf(error(-32000), { quirks: {} })).help).toBe("Run x login.");
});

test("gives sign-in advice in the agent's words", () => {
  expect(signInHelpOf([{ name: "Key", description: "Set X" }, { name: "Browser" }, 1, {}])).toBe(
    "Sign in first: Set X; or: Browser.",
  );
  expect(signInHelpOf([])).toBeUndefined();
});
