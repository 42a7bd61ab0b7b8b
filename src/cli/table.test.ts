import { expect, test } from "vitest";
import { modelLines } from "./model-lines.ts";
import { table } from "./table.ts";

test("a row stays one, whatever an agent said", () => {
  const rows = [{ cells: ["a", "one\n✔  b", "x"], below: "→ it\r\n  failed" }];
  expect(table(["", "name", "runs"], rows)).toBe("   name      runs\na  one ✔  b  x\n   → it failed\n");
  expect(modelLines([{ id: "m", description: "one\ntwo" }])).toEqual(["m  one two"]);
});
