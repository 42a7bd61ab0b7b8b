import { expect, it } from "vitest";
import { kinds, toolKinds, tools } from "./tools.ts";

it("gives every tool one of ACP's kinds", () => {
  expect(tools).toHaveLength(20);
  for (const tool of tools) expect(kinds).toContain(toolKinds[tool]);
});

it("marks every tool that changes files as edit, delete or move", () => {
  const edits = tools.filter((tool) => ["edit", "delete", "move"].includes(toolKinds[tool]));
  expect(edits).toEqual(["write", "edit", "delete", "move", "notebook"]);
});
