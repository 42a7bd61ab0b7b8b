import { expect, test } from "vitest";
import { marksOf, markVariables, newMark } from "./markers.ts";

const environ = (...variables: string[]): Buffer => Buffer.from(variables.map((variable) => `${variable}\0`).join(""));

test("reads the marks of an environment", () => {
  expect(marksOf(environ("PATH=/bin", "REINS_RUN=r", "REINS_CHILD=c", "A=b"))).toEqual({
    runs: ["r"],
    children: ["c"],
  });
  expect(marksOf(Buffer.from("REINS_RUN=r,outer"))).toEqual({ runs: ["r", "outer"], children: [] });
  expect(marksOf(environ("PATH=/bin"))).toBeUndefined();
  expect(marksOf(Buffer.alloc(0))).toBeUndefined();
});

test("ignores a variable whose name or value only contains the name of a mark", () => {
  expect(marksOf(environ("MY_REINS_RUN=r", "NOTE=REINS_RUN=r"))).toBeUndefined();
  expect(marksOf(environ("MY_REINS_RUN=x", "REINS_RUN=r"))?.runs).toEqual(["r"]);
});

test("nests the marks of a Reins inside a Reins", () => {
  expect(markVariables({}, "r", "c")).toEqual({ REINS_RUN: "r", REINS_CHILD: "c" });
  expect(markVariables({ REINS_RUN: "o", REINS_CHILD: "p" }, "r", "c")).toEqual({
    REINS_RUN: "r,o",
    REINS_CHILD: "c,p",
  });
  expect(newMark()).not.toBe(newMark());
});
