import { expect, test } from "vitest";
import { deadlinesWith } from "./deadlines.ts";
import { defaultLimits, limitsWith } from "./limits.ts";

test("keeps the defaults of rows that are not overridden or undefined", () => {
  expect(limitsWith(undefined)).toEqual(defaultLimits);
  expect(limitsWith({ lineBytes: undefined as unknown as number, inlineBytes: 7 })).toEqual({
    ...defaultLimits,
    inlineBytes: 7,
  });
});

test("caps Infinity at the longest timer and the longest string", () => {
  expect(deadlinesWith({ permission: Infinity, question: 30 * 86_400_000 })).toMatchObject({
    permission: 2 ** 31 - 1,
    question: 2 ** 31 - 1,
  });
  expect(() => Buffer.alloc(16).toString("latin1", 0, limitsWith({ lineBytes: Infinity }).lineBytes)).not.toThrow();
  expect(limitsWith({ lineBytes: Infinity }).lineBytes).toBeLessThan(2 ** 29);
});

test.each([NaN, -1, "60", null])("rejects %s as a deadline", (value) => {
  expect(() => deadlinesWith({ probe: value as number })).toThrow(
    `The deadline probe must be 0 or more, not ${value}.`,
  );
});

test("rejects an unknown row", () => {
  expect(() => deadlinesWith({ permision: 1 } as object)).toThrow("There is no deadline permision.");
});
