import { expect, test } from "vitest";
import { asideOf } from "./translate.ts";
import { failures } from "./failures.ts";

const told = (text: string) => {
  const { retrying, failure, ...aside } = asideOf(text)!;
  const facts = retrying ?? failure;
  return { ...aside, code: facts === undefined ? undefined : failures.error(facts).code };
};

test.each(["Hello", "Information: none", "Error:", "info: x", "The log says Error: x"])("treats %j as text", (text) => {
  expect(asideOf(text)).toBeUndefined();
});

test.each(["Info: /tmp/work/x.txt", "Info: Disabled tools: bash, task"])("ignores %j", (text) => {
  expect(asideOf(text)).toEqual({});
});

test("ends the turn at a denial", () => {
  expect(told("Info: Operation cancelled by user")).toEqual({ code: "permission_denied" });
});

test.each([
  ["Info: Response was interrupted due to a server error. Retrying...", "network"],
  ["Info: Request failed due to a transient API error. Retrying...", "overloaded"],
])("reports %s as a retry and discards the text before", (text, code) => {
  expect(told(text)).toEqual({ discards: true, code });
});

test("reports other messages for people as notices", () => {
  expect(asideOf("Warning: Almost out of credits.")).toMatchObject({
    events: [{ type: "notice", level: "warning", code: "agent", message: "Almost out of credits." }],
  });
});

test("reports an error only if nothing follows it, and none for an empty answer", () => {
  expect(told("Error: 400 Bad request.")).toEqual({ onlyLast: true, code: "invalid_input" });
  expect(asideOf("Error: No response was returned. Send your message again to retry.")).toEqual({ onlyLast: true });
});
