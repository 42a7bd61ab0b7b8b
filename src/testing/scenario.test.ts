import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseScenarios, scenarioWords } from "./scenario.ts";
import { standardScenarios } from "./scenarios.ts";
import { standInKinds } from "../../test/stand-ins/stand-in.ts";

const one = (...steps: unknown[]) => [{ name: "mine", steps }];

describe("the scenario language", () => {
  test("accepts the standard scenarios, which have unique names", () => {
    const asData: unknown = JSON.parse(JSON.stringify(standardScenarios));
    expect(parseScenarios(asData)).toEqual(asData);
    expect(new Set(standardScenarios.map((scenario) => scenario.name)).size).toBe(standardScenarios.length);
  });

  test.each([
    ["an unknown word", one([{ sya: "x" }]), /^Scenario mine is not valid at steps\.0\.0: .*"sya"/],
    [
      "two words in one line",
      one([{ say: "x", think: "y" }]),
      /steps\.0\.0: a line of a step has one word, this has 2/,
    ],
    ["no word", one([{}]), /this has 0/],
    ["an unknown tool", one([{ call: { tool: "hammer" } }]), /steps\.0\.0\.call\.tool/],
    ["an unknown field of a call", one([{ call: { tool: "read", paht: "x" } }]), /paht/],
    ["a status that is no error", one([{ error: { status: 200 } }]), /steps\.0\.0\.error\.status/],
    ["an error after output", one([{ say: "x" }, { error: { status: 500 } }]), /steps\.0\.1: `error` stands before/],
    ["a condition that is not first", one([{ say: "x" }, { when: "y" }]), /steps\.0\.1: `when` stands first/],
    ["no steps", one(), /at steps/],
    [
      "a bad name",
      [{ name: "Not this", steps: [[]] }],
      /^Scenario Not this is not valid at name: a name is lower-case/,
    ],
    ["data that is not a list", { name: "mine" }, /not valid at its top/],
  ])("refuses %s with one sentence", (_what, input, message) => {
    expect(() => parseScenarios(input)).toThrow(message);
  });
});

test("docs/testing.md lists every word, standard scenario and stand-in", () => {
  const docs = readFileSync(new URL("../../docs/testing.md", import.meta.url), "utf8");
  const names = [...scenarioWords, ...standardScenarios.map(({ name }) => name), ...standInKinds];
  expect(names.filter((name) => !docs.includes(`\`${name}\``))).toEqual([]);
});
