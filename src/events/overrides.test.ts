import { expect, test } from "vitest";
import { deadlinesWith } from "./deadlines.ts";
import { defaultLimits, limitsWith } from "./limits.ts";

test("rows that are not overridden stay, also where one is undefined", () => {
  expect(limitsWith(undefined)).toEqual(defaultLimits);
  expect(limitsWith({ lineBytes: undefined as unknown as number, inlineBytes: 7 })).toEqual({
    ...defaultLimits,
    inlineBytes: 7,
  });
});

test("for ever is as long as a timer can be, and as much as a text can be", () => {
  expect(deadlinesWith({ permission: Infinity, question: 30 * 86_400_000 })).toMatchObject({
    permission: 2 ** 31 - 1,
    question: 2 ** 31 - 1,
  });
  expect(() => Buffer.alloc(16).toString("latin1", 0, limitsWith({ lineBytes: Infinity }).lineBytes)).not.toThrow();
  expect(limitsWith({ lineBytes: Infinity }).lineBytes).toBeLessThan(2 ** 29);
});

test.each([NaN, -1, "60", null])("%s is no deadline", (value) => {
  expect(() => deadlinesWith({ probe: value as number })).toThrow(
    `The deadline probe is a number that is not negative, not ${value}.`,
  );
});

test("a row that is not in the table is refused", () => {
  expect(() => deadlinesWith({ permision: 1 } as object)).toThrow("There is no deadline permision.");
});
