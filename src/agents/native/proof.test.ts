import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { proof } from "./proof.ts";

test("the version said to be tested is the one the tests run with", () => {
  const { devDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
    devDependencies: Record<string, string>;
  };
  expect(proof.version).toBe(devDependencies["ai"]);
});
