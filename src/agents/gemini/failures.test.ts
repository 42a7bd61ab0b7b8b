import { expect, test } from "vitest";
import { factsOf } from "../../protocols/acp/failures.ts";
import { failureOf, failures } from "./failures.ts";

const errorOf = (code: number, message: string) =>
  failures.error(factsOf({ code, message }, { quirks: { failure: failureOf } }), 0);

const json = (code: number, message: string) => JSON.stringify({ error: { code, message, status: "X" } });
const limited = "You exceeded your current quota. Please retry in 1.5s.\nSuggested retry after 1.5s.";

test.each([
  [400, json(400, "Bad request."), "invalid_input", "Bad request."],
  [400, json(400, "API key not valid. Please pass a valid API key."), "not_authenticated", undefined],
  [400, json(400, "The input token count (9) exceeds the maximum number of tokens allowed (8)."), "context_too_long"],
  [401, json(401, "fake error 401"), "not_authenticated", "fake error 401"],
  [403, json(403, "The caller does not have permission"), "not_authenticated"],
  [500, "models/x is not found for API version v1beta, or is not supported for generateContent.", "model_unknown"],
  [429, limited, "rate_limited", "You exceeded your current quota. Please retry in 1.5s."],
  [429, "You have exhausted your daily quota on this model.", "quota_exhausted"],
  [429, "Your prepayment credits are depleted. Please go to AI Studio.", "quota_exhausted"],
  [500, json(500, "An internal error has occurred."), "overloaded"],
  [503, `got status: UNAVAILABLE. ${json(503, "The model is overloaded.")}`, "overloaded", "The model is overloaded."],
  [500, "terminated", "network", "terminated"],
  [500, "exception TypeError: fetch failed sending request", "network"],
] as const)("classifies %s %s", (code, message, expected, said?: string) => {
  const failure = errorOf(code, message);
  expect(failure.code).toBe(expected);
  expect(failure.message).not.toMatch(/[{}\n]/);
  if (said !== undefined) expect(failure.message).toBe(said);
  expect(failure.resetsAt).toBe(message === limited ? new Date(1_500).toISOString() : undefined);
});

test("reports a failure that is not the service's in its own words", () => {
  expect(errorOf(-32603, "Invalid or unavailable mode: x")).toMatchObject({
    code: "agent_error",
    message: "Invalid or unavailable mode: x",
  });
});

test.each([
  ["[API Error: fake]\nPlease wait.", "fake]"],
  ["{not json}", "{not json}"],
  ['{"message":"inner"}', "inner"],
])("reads %j as %j", (message, said) => {
  expect(errorOf(0, message).message).toBe(said);
});
