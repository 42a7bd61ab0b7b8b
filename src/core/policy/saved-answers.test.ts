import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testFolder } from "../../../test/support/core.ts";
import { SavedAnswers } from "./saved-answers.ts";
import type { Rule } from "./rule.ts";

const npm: Rule = { decision: "allow", command: "npm test" };
const git: Rule = { decision: "allow", command: "git status" };
const rules = (answers: SavedAnswers) => answers.read().kept.map(({ rule }) => rule);

it("keeps answers for one workspace, readable by their owner only", () => {
  const [home, workspace] = [testFolder(), testFolder()];
  const answers = new SavedAnswers(home, workspace);
  expect(answers.read()).toEqual({ kept: [], unreadable: 0 });
  answers.keep(npm);
  answers.keep(git);
  expect(rules(new SavedAnswers(home, workspace))).toEqual([npm, git]);
  expect(rules(new SavedAnswers(home, testFolder()))).toEqual([]);
  expect(statSync(answers.path).mode & 0o777).toBe(0o600);
  // Nothing is stored in the workspace.
  expect(existsSync(join(workspace, ".reins"))).toBe(false);
});

it("ignores answers for an earlier folder of the same name", () => {
  const [home, parent] = [testFolder(), testFolder()];
  const workspace = join(parent, "work");
  mkdirSync(workspace);
  writeFileSync(join(workspace, "a"), "");
  new SavedAnswers(home, workspace).keep(npm);
  expect(new SavedAnswers(home, workspace).read().kept).toMatchObject([{ stale: false }]);
  const { birthtimeMs } = statSync(workspace);
  // Only where the file system reports birth times.
  if (birthtimeMs === 0) return;
  // The new folder may get any inode. File system clocks are coarse: in the same tick it may be identical.
  do {
    rmSync(workspace, { recursive: true });
    mkdirSync(workspace);
  } while (statSync(workspace).birthtimeMs === birthtimeMs);
  writeFileSync(join(workspace, "a"), "");
  expect(new SavedAnswers(home, workspace).read().kept).toMatchObject([{ stale: true }]);
});

it("binds answers to the birth time of the folder, even if it was empty", () => {
  const [home, workspace] = [testFolder(), testFolder()];
  const answers = new SavedAnswers(home, workspace);
  answers.keep(npm);
  const { birthtimeMs } = statSync(workspace);
  writeFileSync(join(workspace, "a"), "");
  // Only where the file system reports birth times.
  if (statSync(workspace).birthtimeMs !== birthtimeMs) return;
  expect(answers.read().kept).toMatchObject([{ stale: false }]);
  const kept = readFileSync(answers.path, "utf8");
  writeFileSync(answers.path, kept.replace(`"made":${birthtimeMs}`, `"made":${birthtimeMs - 1000}`));
  expect(answers.read().kept).toMatchObject([{ stale: true }]);
});

it("removes answers one by one, and the file with the last", () => {
  const answers = new SavedAnswers(testFolder(), testFolder());
  for (const rule of [npm, git, npm]) answers.keep(rule);
  answers.remove(answers.read().kept[0]!);
  expect(rules(answers)).toEqual([git, npm]);
  for (const kept of answers.read().kept) answers.remove(kept);
  expect(existsSync(answers.path)).toBe(false);
});

it("counts and skips unreadable answers", () => {
  const answers = new SavedAnswers(testFolder(), testFolder());
  answers.keep(npm);
  const line = readFileSync(answers.path, "utf8");
  appendFileSync(answers.path, 'half a li\n{"rule":{"decision":"allow","everything":true}}\n[]\n');
  // An answer for another folder.
  appendFileSync(answers.path, line.replace(/"workspace":"[^"]*"/, '"workspace":"/elsewhere"'));
  answers.keep(git);
  expect(rules(answers)).toEqual([npm, git]);
  expect(answers.read().unreadable).toBe(4);
});
