import { expect, test } from "vitest";
import { asideOf } from "./translate.ts";
import { failures } from "./failures.ts";

const told = (text: string) => {
  const { retrying, failure, ...aside } = asideOf(text)!;
  const facts = retrying ?? failure;
  return { ...aside, code: facts === undefined ? undefined : failures.error(facts).code };
};

test.each(["Hello", "Information: none", "Error:", "info: x", "The log says Error: x"])("%j is text", (text) => {
  expect(asideOf(text)).toBeUndefined();
});

test.each(["Info: /tmp/work/x.txt", "Info: Disabled tools: bash, task"])("%j means nothing", (text) => {
  expect(asideOf(text)).toEqual({});
});

test("a denial ends the turn", () => {
  expect(told("Info: Operation cancelled by user")).toEqual({ code: "permission_denied" });
});

test.each([
  ["Info: Response was interrupted due to a server error. Retrying...", "network"],
  ["Info: Request failed due to a transient API error. Retrying...", "overloaded"],
])("%s is a retry, and what was said before does not count", (text, code) => {
  expect(told(text)).toEqual({ discards: true, code });
});

test("other words for people are notices", () => {
  expect(asideOf("Warning: Almost out of credits.")).toMatchObject({
    events: [{ type: "notice", level: "warning", code: "agent", message: "Almost out of credits." }],
  });
});

test("an error is one only if nothing follows, and an answer without words is none", () => {
  expect(told("Error: 400 Bad request.")).toEqual({ onlyLast: true, code: "invalid_input" });
  expect(asideOf("Error: No response was returned. Send your message again to retry.")).toEqual({ onlyLast: true });
});
