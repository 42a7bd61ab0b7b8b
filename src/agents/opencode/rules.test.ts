import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { planFilesOf, readPlan } from "./plan-file.ts";
import { Rules } from "./rules.ts";
import type { RulesOptions } from "./rules.ts";

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "reins-test-"));
  mkdirSync(join(cwd, ".git"));
  symlinkSync("/etc", join(cwd, "out"));
});
afterAll(() => rmSync(cwd, { recursive: true }));

const rules = (more: Partial<RulesOptions> = {}) => new Rules({ cwd, mode: "ask", ...more });

test("what only looks runs unasked, everything else is asked about", async () => {
  for (const name of ["read", "glob", "grep", "task", "todowrite", "question", "skill"])
    expect(await rules().allows(name, {})).toBe(true);
  for (const name of [
    "bash",
    "write",
    "edit",
    "apply_patch",
    "webfetch",
    "websearch",
    "plan_exit",
    "files_read",
    "custom",
  ])
    expect(await rules().allows(name, {})).toBe(false);
});

test("a filter holds for the prompts it is for", async () => {
  const filtered = rules({ tools: { allowed: ["shell"], disallowed: ["web_fetch"], first: { disallowed: ["edit"] } } });
  filtered.prompted();
  expect(filtered.forbids("apply_patch")).toBe(true);
  expect(filtered.forbids("webfetch")).toBe(false);
  expect(filtered.permits("bash")).toBe(false);
  filtered.prompted();
  expect(filtered.forbids("apply_patch")).toBe(false);
  expect(filtered.forbids("webfetch")).toBe(true);
  expect(await filtered.allows("bash", {})).toBe(true);
  expect(rules({ state: "x", tools: { first: { disallowed: ["edit"] } } }).forbids("edit")).toBe(false);
  expect(() => rules({ tools: { allowed: ["shell(git *)"] } })).toThrow(
    expect.objectContaining({ code: "invalid_input" }),
  );
});

test.each([
  ["bash", { command: "touch a" }, "the command touch a"],
  ["write", { filePath: "a.txt" }, "edits in the workspace"],
  ["write", { filePath: ".git/hooks/x" }, "edits of .git/hooks/x"],
  ["edit", { filePath: "out/passwd" }, "edits of out/passwd"],
  ["write", { filePath: "/etc/passwd" }, "edits of /etc/passwd"],
  ["apply_patch", { patchText: "*** Add File: a\n*** Add File: .git/config\n" }, "edits of a, .git/config"],
  ["webfetch", { url: "x" }, "the tool webfetch"],
])("an always of %s %j reaches as far as %s", async (name, input, label) => {
  const held = rules();
  const rule = await held.ruleFor(name, input);
  expect(rule.label).toBe(label);
  held.allowAlways(rule);
  expect(await held.allows(name, input)).toBe(true);
  expect(held.remembers(rule)).toBe(true);
  expect(await held.allows("bash", { command: "rm -rf /" })).toBe(false);
  expect(await held.allows("write", { filePath: "/etc/shadow" })).toBe(false);
});

test("a place outside is inside where it was added", async () => {
  expect(await rules().isInWorkspace("/etc/*")).toBe(false);
  expect(await rules({ directories: ["/etc"] }).isInWorkspace("/etc/*")).toBe(true);
  expect(await rules().isInWorkspace(join(cwd, "out", "*"))).toBe(false);
  expect(await rules().isInWorkspace(join(cwd, "*"))).toBe(true);
});

test("where it plans, its plan may be written, and nothing else", async () => {
  const conversation = { slug: "brave-owl", time: { created: 7 } };
  const planner = {
    permission: [{ permission: "external_directory", pattern: "/data/plans/*" }, { permission: "edit" }],
  };
  const planFiles = planFilesOf(conversation, cwd, planner);
  expect(planFiles).toEqual([join(cwd, ".opencode/plans/7-brave-owl.md"), "/data/plans/7-brave-owl.md"]);
  expect(planFilesOf(conversation, "/", planner)).toEqual(["/data/plans/7-brave-owl.md"]);
  expect(planFilesOf({ ...conversation, slug: "../x" }, cwd, planner)).toEqual([]);
  expect(await readPlan(planFiles)).toBeUndefined();
  const planning = rules({ mode: "plan", planFiles });
  expect(await planning.allows("write", { filePath: planFiles[0] })).toBe(true);
  expect(await planning.allows("write", { filePath: ".opencode/plans/7-brave-owl.md" })).toBe(true);
  expect(await planning.allows("write", { filePath: ".opencode/plans/other.md" })).toBe(false);
  expect(await planning.allows("bash", { command: "x" })).toBe(false);
  expect(await rules({ planFiles }).allows("write", { filePath: planFiles[0] })).toBe(false);
});
