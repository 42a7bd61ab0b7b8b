import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OpenOptions } from "../contract.ts";
import { Rules } from "./rules.ts";

let cwd: string;
let further: string;
beforeAll(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), "reins-test-")));
  further = realpathSync(mkdtempSync(join(tmpdir(), "reins-test-")));
  mkdirSync(join(cwd, ".git"));
  symlinkSync("/etc", join(cwd, "link"));
  symlinkSync(join(cwd, "nowhere"), join(cwd, "dangling"));
});
afterAll(() => [cwd, further].forEach((folder) => rmSync(folder, { recursive: true })));

const rules = (tools?: OpenOptions["tools"], state?: string) =>
  new Rules({ tools, state, cwd, home: "/home/person", directories: [further] });

test("looking runs unasked, what may do anything does not", async () => {
  const some = rules();
  for (const name of ["read", "grep", "find", "ls"]) expect(await some.allows(name, {})).toBe(true);
  for (const name of ["write", "edit", "bash", "launch"]) expect(await some.allows(name, {})).toBe(false);
});

test.for<[string, object, string]>([
  ["write", { path: "a.txt" }, "edits in the workspace"],
  ["edit", { path: "deep/er/a.txt" }, "edits in the workspace"],
  ["write", { path: ".git/hooks/x" }, "edits of .git/hooks/x"],
  ["write", { path: "link/passwd" }, "edits of link/passwd"],
  ["write", { path: "dangling" }, "edits of dangling"],
  ["write", { path: "/etc/passwd" }, "edits of /etc/passwd"],
  ["write", { path: "~/x" }, "edits of /home/person/x"],
  ["bash", { command: "npm\ntest" }, "the command npm test"],
  ["launch", {}, "the tool launch"],
])("always for %s %j: %s", async ([name, input, label]) => {
  expect((await rules().ruleFor(name, input)).label).toBe(label);
});

test("an added folder is workspace too", async () => {
  expect((await rules().ruleFor("write", { path: join(further, "a") })).label).toBe("edits in the workspace");
});

test("always holds for the same, and for nothing else", async () => {
  const some = rules();
  some.allowAlways(await some.ruleFor("bash", { command: "npm test" }));
  some.allowAlways(await some.ruleFor("write", { path: "a.txt" }));
  expect(await some.allows("bash", { command: "npm test" })).toBe(true);
  expect(await some.allows("bash", { command: "npm test; rm -rf x" })).toBe(false);
  expect(await some.allows("edit", { path: "b.txt" })).toBe(true);
  expect(await some.allows("edit", { path: ".env" })).toBe(false);
});

test("the filter of the first prompt, and of the others", async () => {
  const tools = { allowed: ["write"], first: { allowed: ["shell"], disallowed: ["write"] } };
  const fresh = rules(tools);
  fresh.prompted();
  expect([fresh.forbids("write"), await fresh.allows("bash", {})]).toEqual([true, true]);
  fresh.prompted();
  expect([fresh.forbids("write"), await fresh.allows("bash", {}), await fresh.allows("write", {})]).toEqual([
    false,
    false,
    true,
  ]);
  const resumed = rules(tools, "pi:1:/x.jsonl");
  resumed.prompted();
  expect(resumed.forbids("write")).toBe(false);
});
