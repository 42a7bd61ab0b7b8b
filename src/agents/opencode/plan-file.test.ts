import { join } from "node:path";
import { expect, test } from "vitest";
import { testFolder } from "../../../test/support/core.ts";
import { workspaceOf } from "../../workspace/real-paths.ts";
import { isPlanEdit, planFilesOf, readPlan } from "./plan-file.ts";
import { toolCall } from "./tools.ts";

test("allows writing the plan file in plan mode and nothing else", async () => {
  const cwd = testFolder();
  const conversation = { slug: "brave-owl", time: { created: 7 } };
  const planner = {
    permission: [{ permission: "external_directory", pattern: "/data/plans/*" }, { permission: "edit" }],
  };
  const planFiles = planFilesOf(conversation, cwd, planner);
  expect(planFiles).toEqual([join(cwd, ".opencode/plans/7-brave-owl.md"), "/data/plans/7-brave-owl.md"]);
  expect(planFilesOf(conversation, "/", planner)).toEqual(["/data/plans/7-brave-owl.md"]);
  expect(planFilesOf({ ...conversation, slug: "../x" }, cwd, planner)).toEqual([]);
  expect(await readPlan(planFiles)).toBeUndefined();
  const edits = (name: string, input: object) =>
    isPlanEdit(toolCall(name, input, { cwd, servers: new Set() }), planFiles, workspaceOf({ cwd }));
  expect(edits("write", { filePath: planFiles[0] })).toBe(true);
  expect(edits("write", { filePath: ".opencode/plans/7-brave-owl.md" })).toBe(true);
  expect(edits("write", { filePath: ".opencode/plans/other.md" })).toBe(false);
  expect(edits("write", {})).toBe(false);
  expect(edits("read", { filePath: planFiles[0] })).toBe(false);
  expect(edits("bash", { command: "x" })).toBe(false);
});
