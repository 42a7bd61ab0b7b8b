import { expect, it } from "vitest";
import { kinds, toolKinds, tools } from "./tools.ts";

it("every tool has one of ACP's kinds", () => {
  expect(tools).toHaveLength(20);
  for (const tool of tools) expect(kinds).toContain(toolKinds[tool]);
});

it("what has side effects on files is never of a kind that only looks", () => {
  const edits = tools.filter((tool) => ["edit", "delete", "move"].includes(toolKinds[tool]));
  expect(edits).toEqual(["write", "edit", "delete", "move", "notebook"]);
});
