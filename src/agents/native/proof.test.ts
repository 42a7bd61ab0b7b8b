import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { proof } from "./proof.ts";

test("declares the version that the tests run with", () => {
  const { devDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
    devDependencies: Record<string, string>;
  };
  expect(proof.version).toBe(devDependencies["ai"]);
});
