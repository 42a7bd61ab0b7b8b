import { expect, test } from "vitest";
import { capabilityRows } from "../../events/capability-rows.ts";
import { standardScenarios } from "../scenarios.ts";
import { expected } from "./expected.ts";
import { contract } from "./index.ts";

test("every scenario has exactly one row in the table of expected events", () => {
  const ids = contract.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(Object.keys(expected).toSorted());
});

test("every capability is proven by a scenario", () => {
  const proven = new Set<string>(contract.flatMap(({ proves }) => proves));
  expect([...proven].toSorted()).toEqual(["always", ...capabilityRows.map(({ id }) => id)].toSorted());
});

test('every title completes the sentence "the agent ..."', () => {
  expect(contract.map(({ title }) => title).filter((title) => !/^[a-z].*[^.]$/.test(title))).toEqual([]);
});

test("the scripted model has scenarios for tools of every kind", () => {
  const names = standardScenarios.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["read", "search", "delete", "move", "fetch", "mode", "mcp"]));
});
