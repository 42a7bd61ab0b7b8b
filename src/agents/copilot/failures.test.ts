import { expect, test } from "vitest";
import { factsOf, failures } from "./failures.ts";

const tries =
  "Failed to get response from the AI model; retried 5 times (total retry wait time: 5.00 seconds) Last error:";

test.each([
  ["Authentication failed with provider at http://127.0.0.1:1/v1 (HTTP 401).\n  Check your key.", "not_authenticated"],
  ["Authentication failed with provider at http://127.0.0.1:1/v1 (HTTP 403).", "not_authenticated"],
  ["Model 'fake-model' not found on provider at http://127.0.0.1:1/v1 (HTTP 404).", "model_unknown"],
  ["400 Bad request.", "invalid_input"],
  [`${tries} 429 fake error 429`, "rate_limited"],
  [`${tries} 429 You exceeded your current quota, please check your plan and billing details.`, "quota_exhausted"],
  [`${tries} 500 The server had an error while processing your request. Sorry about that!`, "overloaded"],
  [`${tries} Failed native model HTTP request: error decoding response body: unexpected EOF`, "network"],
  [`${tries} something nobody saw before`, "overloaded"],
  ["The provider rejected the prompt as too long, but automatic recovery could not reduce it.", "context_too_long"],
  ["Something else", "agent_error"],
  ["Could not connect to local model provider at http://127.0.0.1:1/v1.", "network"],
])("classifies %s", (said, code) => {
  expect(failures.error(factsOf(said))).toMatchObject({ code, message: said.split("\n")[0] });
});

test("uses the status when the text does not show the cause", () => {
  expect(failures.error(factsOf("It went wrong.", 503))).toMatchObject({
    code: "overloaded",
    message: "It went wrong.",
  });
  expect(failures.error(factsOf("It went wrong (HTTP 401).", 401))).toMatchObject({
    message: "It went wrong (HTTP 401).",
  });
});

test.each([
  ["Error: No session, task, or name matched '9'.\n\nTo resume ...", "session_not_found"],
  ["Error: No authentication information found.\n\nCopilot can be ...", "not_authenticated"],
  ["error: unexpected argument '--nosuch' found\n\nUsage: copilot", "invalid_input"],
  ["Package extraction took 5509ms\n", "agent_crashed"],
])("explains an exit with %j", (stderr, code) => {
  expect(failures.exit({ code: 1, signal: null }, stderr)).toMatchObject({ code, agent: "copilot" });
});

test("ignores what every first run prints", () => {
  expect(failures.exit({ code: 1, signal: null }, "Package extraction took 5509ms\n").message).toBe(
    "GitHub Copilot ended with exit code 1.",
  );
});
