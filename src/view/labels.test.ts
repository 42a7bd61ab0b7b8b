import { expect, test } from "vitest";
import { limitName } from "./labels.ts";

test.each([
  ["five_hour", "5-hour limit"],
  ["seven_day", "weekly limit"],
  ["seven_day_opus", "weekly limit (opus)"],
  ["300_minutes", "5-hour limit"],
  ["90_minutes", "90-minute limit"],
  ["43200_minutes", "30-day limit"],
  ["week", "weekly limit"],
  ["plan", "plan limit"],
  ["overage", "overage limit"],
  ["spend_limit", "spend limit"],
  ["constructor day", "constructor day limit"],
])("the limit %j is called %s", (window, name) => {
  expect(limitName(window)).toBe(name);
});

test("a name from outside is made printable", () => {
  expect(limitName("\u001b[31mred\nwindow")).not.toMatch(/[\u001b\n]/);
});
