import { expect, test } from "vitest";
import { comparedEntries } from "./compared-entries.ts";

const agents = [
  { id: "demo", name: "Demo" },
  { id: "acp", name: "Any" },
  { id: "acp:tool", name: "Tool" },
];

test.each([
  ["1", [{ agent: "demo" }]],
  ["demo, demo:small", [{ agent: "demo" }, { agent: "demo", model: "small" }]],
  ["1:llama3:8b", [{ agent: "demo", model: "llama3:8b" }]],
  ["acp:tool", [{ agent: "acp:tool" }]],
  ["acp:tool:big, ", [{ agent: "acp:tool", model: "big" }]],
  ["TOOL:big", [{ agent: "acp:tool", model: "big" }]],
])("%j means %j", (typed, entries) => {
  expect(comparedEntries(typed, agents)).toEqual({ entries });
});

test.each([
  ["demmo", "There is no agent demmo. Did you mean demo?"],
  ["1,9", "There is no agent 9."],
  [" , ", "No agent was named."],
])("%j is refused: %s", (typed, problem) => {
  expect(comparedEntries(typed, agents)).toEqual({ problem });
});
