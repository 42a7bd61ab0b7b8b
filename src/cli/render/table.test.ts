import { expect, test } from "vitest";
import { modelLines } from "./agents-table.ts";
import { fitted, shortPath, table } from "./table.ts";

test("keeps a row on one line, whatever an agent said", () => {
  const rows = [{ cells: ["a", "one\n✔  b", "x"], below: "→ it\r\n  failed" }];
  expect(table(["", "name", "runs"], rows)).toBe("   name      runs\na  one ✔  b  x\n   → it failed\n");
  expect(modelLines([{ id: "m", description: "one\ntwo" }])).toEqual(["m  one two"]);
});

test("fits the terminal's width, but is complete for a program", () => {
  const text = table(["a", "b"], [{ cells: ["1", "日本語テキスト and more"] }]);
  expect(fitted(text, 12)).toBe("a  b\n1  日本語テ…\n");
  expect(fitted(text, undefined)).toBe(text);
});

test.each([
  ["/home/me/x", "~/x"],
  ["/home/mei/x", "/home/mei/x"],
  ["/a/very/long/way/to/some/project", "…to/some/project"],
])("shows the path %s as %s", (path, short) => {
  expect(shortPath(path, 64, "/home/me")).toBe(short);
  expect(shortPath(path, undefined)).toBe(path);
});

test("aligns columns with wide characters", () => {
  const rows = [{ cells: ["日本", "a"] }, { cells: ["👨‍👩‍👧‍👦", "b"] }, { cells: ["abcde", "c"] }];
  expect(table(["x", "y"], rows)).toBe("x      y\n日本   a\n👨‍👩‍👧‍👦     b\nabcde  c\n");
});
