import { expect, test } from "vitest";
import type { CapabilityRow, ContractResult, ContractState } from "../../../testing/contract/types.ts";
import { failures, matrix, totals } from "./matrix.ts";

function result(state: ContractState, ...capabilities: CapabilityRow[]): ContractResult {
  const sentence = state === "failed" ? "It forgot everything." : undefined;
  return { scenario: "s", title: "does it", capabilities, declared: true, state, sentence, ms: 1 };
}
const one = {
  agent: "one",
  version: "1.2.3",
  results: [
    result("proven", "always"),
    result("proven", "always"),
    result("proven", "resume"),
    result("failed", "resume"),
    result("not_declared", "steer"),
    result("not_provable", "hold.move"),
  ],
};
const two = { agent: "two", results: [result("proven", "steer")] };

test("has capabilities as rows and agents as columns, without untested rows", () => {
  expect(matrix([one, two])).toBe(
    [
      "                              one 1.2.3  two",
      "what every agent must do      ✔ 2",
      "resumes in a new process      ✘ 1 of 2",
      "a prompt into a running turn  ·          ✔",
      "holds: move                   ?",
      "",
      "✔ proven   ✘ declared and does not hold   ? cannot be shown here   · not declared",
      "",
    ].join("\n"),
  );
});

test("names each declared capability that does not hold, with the reason", () => {
  expect(failures([one, two])).toBe("\n✘ one does it (declared: resume)\n  It forgot everything.\n");
  expect(failures([two])).toBe("");
  expect(totals(one)).toEqual({ proven: 3, failed: 1 });
});
