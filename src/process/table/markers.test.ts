import { expect, test } from "vitest";
import { marksOf, markVariables, newMark } from "./markers.ts";

const environ = (...variables: string[]): Buffer => Buffer.from(variables.map((variable) => `${variable}\0`).join(""));

test("the marks of an environment", () => {
  expect(marksOf(environ("PATH=/bin", "REINS_RUN=r", "REINS_CHILD=c", "A=b"))).toEqual({
    runs: ["r"],
    children: ["c"],
  });
  expect(marksOf(Buffer.from("REINS_RUN=r,outer"))).toEqual({ runs: ["r", "outer"], children: [] });
  expect(marksOf(environ("PATH=/bin"))).toBeUndefined();
  expect(marksOf(Buffer.alloc(0))).toBeUndefined();
});

test("a variable that only ends or is quoted like ours is not ours", () => {
  expect(marksOf(environ("MY_REINS_RUN=r", "NOTE=REINS_RUN=r"))).toBeUndefined();
  expect(marksOf(environ("MY_REINS_RUN=x", "REINS_RUN=r"))?.runs).toEqual(["r"]);
});

test("a Reins inside a Reins nests its marks", () => {
  expect(markVariables({}, "r", "c")).toEqual({ REINS_RUN: "r", REINS_CHILD: "c" });
  expect(markVariables({ REINS_RUN: "o", REINS_CHILD: "p" }, "r", "c")).toEqual({
    REINS_RUN: "r,o",
    REINS_CHILD: "c,p",
  });
  expect(newMark()).not.toBe(newMark());
});
