import { describe, expect, test } from "vitest";
import { classes } from "./basics.tsx";
import { place, stepOf } from "./popup.tsx";

test("leaves out false and undefined class names", () => {
  expect(classes("a", false, undefined, "", "b")).toBe("a b");
});

describe("popup placement", () => {
  const screen = { width: 400, height: 600 };
  const size = { width: 200, height: 150 };
  test("is below the anchor", () => {
    const anchor = { left: 20, right: 80, top: 100, bottom: 130 };
    expect(place(anchor, size, screen, "start")).toMatchObject({ left: 20, top: 134, maxHeight: 458 });
  });
  test("is above the anchor when there is more room", () => {
    const anchor = { left: 20, right: 80, top: 500, bottom: 530 };
    expect(place(anchor, size, screen, "start")).toMatchObject({ bottom: 104, maxHeight: 488 });
  });
  test("stays inside the window", () => {
    const anchor = { left: 350, right: 390, top: 0, bottom: 30 };
    expect(place(anchor, size, screen, "start").left).toBe(192);
    expect(place({ ...anchor, left: 0, right: 20 }, size, screen, "end").left).toBe(8);
  });
});

describe("stepOf", () => {
  const labels = ["Rename", "Fork", "Find", "Delete"];
  test.each([
    ["ArrowDown", 3, 0],
    ["ArrowUp", 0, 3],
    ["Home", 2, 0],
    ["End", 0, 3],
    ["f", 0, 1],
    ["F", 1, 2],
    ["f", 2, 1],
    ["x", 0, undefined],
    [" ", 0, undefined],
    ["Tab", 0, undefined],
  ])("%s from %d leads to %s", (key, at, to) => expect(stepOf(key, at, labels)).toBe(to));
  test("returns undefined for an empty list", () => expect(stepOf("ArrowDown", 0, [])).toBeUndefined());
});
