/** The README's library example is examples/quickstart.ts, which test/examples.test.ts runs, and is short. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

it("shows examples/quickstart.ts in at most 30 lines", () => {
  const example = /```ts\n([\s\S]+?)```/.exec(read("../README.md"))?.[1] ?? "";
  expect(example).toBe(read("../examples/quickstart.ts"));
  expect(example.trimEnd().split("\n").length).toBeLessThanOrEqual(30);
});
