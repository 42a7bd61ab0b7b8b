import { expect, test } from "vitest";
import { matchingRepositories } from "./repositories.ts";

test("offers the first matches among 10,000 repositories", () => {
  const all = Array.from({ length: 10_000 }, (_, at) => `https://example.com/team/Project-${at}`);
  expect(matchingRepositories(all, "")).toHaveLength(50);
  expect(matchingRepositories(all, " project-999 ")).toEqual([
    "https://example.com/team/Project-999",
    ...Array.from({ length: 10 }, (_, at) => `https://example.com/team/Project-999${at}`),
  ]);
  expect(matchingRepositories(all, "nothing")).toEqual([]);
});
