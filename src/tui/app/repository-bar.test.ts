import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { publishedRepository, repository } from "../../../test/support/repository.ts";
import { keys, openTui } from "../../../test/support/tui.ts";
import { themes } from "../themes.ts";
import { plain } from "../wrap.ts";
import { columnsOf } from "../../events/columns.ts";
import type { RepositoryStatus } from "../../view/repository.ts";
import { repositoryBar, repositoryColumn } from "./repository-bar.ts";

const status: RepositoryStatus = {
  ...{ repoName: "reins", branch: "fix/\u001b[31mred", status: "ci_failing", prNumber: 7, prUrl: null, prTitle: null },
  ...{ isDirty: false, isAhead: false, isBehind: false, checksStatus: "fail" },
  action: { label: "Fix CI", skill: "fix-ci", description: "Investigate and fix failing CI checks" },
};
const options = { showAction: true, leader: "Ctrl+X" };

test.each([1, 20, 80, 200])("fits the bar into %d columns, and shows the action if there is room", (width) => {
  const { text: styled, action } = repositoryBar(status, width, themes.none, options);
  const text = plain(styled);
  expect(columnsOf(text)).toBeLessThanOrEqual(width);
  expect(action === undefined).toBe(width < 60);
  if (action !== undefined) expect(text.slice(action.from, action.to)).toBe("[Fix CI →]");
});

test("shows one fact per row in a column, with the action last", () => {
  const { lines, action } = repositoryColumn(status, themes.none, options);
  expect(lines.map(({ text }) => plain(text))).toEqual([
    "reins",
    expect.stringMatching(/^fix\/.*red$/),
    "CI FAILING (PR #7)",
    "[Fix CI →] Ctrl+X b",
  ]);
  expect(lines[1]!.text).not.toContain("\u001b[31m");
  expect(action).toEqual({ row: 3, width: 10 });
  expect(repositoryColumn(status, themes.none, { ...options, showAction: false }).lines).toHaveLength(3);
  expect(repositoryColumn(undefined, themes.none, options).lines).toMatchObject([
    { text: expect.stringContaining("Loading the repository…") },
  ]);
});

const placed = { columns: 140, rows: 30, prepare: publishedRepository };

test.each([
  ["left", /^\S+ +│/m, 2],
  ["right", /│ \S+ *$/m, 106],
] as const)("shows the repository at the %s, and runs the next step on a click", async (placement, row, column) => {
  const tui = openTui({ ...placed, ui: { breadcrumb: { placement } } });
  await tui.shows("[Create PR →]");
  expect(tui.screen()).toMatch(row);
  const at = tui.port.screen().findIndex((line) => line.includes("[Create PR →]"));
  tui.type(`\x1b[<0;${column};${at + 1}M\x1b[<0;${column};${at + 1}m`);
  await tui.shows("y send to");
  tui.type(keys.escape);
  await tui.hides("y send to");
  // The conversation fits beside it.
  tui.send("say hello");
  await tui.shows("hello");
  for (const line of tui.port.screen()) expect(columnsOf(line)).toBeLessThanOrEqual(140);
});

test("shows it at the top of a narrow screen", async () => {
  const tui = openTui({ ...placed, columns: 80, ui: { breadcrumb: { placement: "left" } } });
  await tui.shows(/^ \S+ > main > LOCAL \[Create PR →\]/);
});

test("what could not be used for the prompt is said before it", async () => {
  const prepare = (cwd: string): void => {
    repository(cwd);
    const folder = join(cwd, ".reins", "skills", "commit-changes");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "SKILL.md"), "");
  };
  const tui = openTui({ ...placed, prepare });
  await tui.shows("[Commit & Push →]");
  tui.type(`${keys.ctrl("x")}b`);
  await tui.shows("y send to");
  await tui.shows(/! .*SKILL\.md has no text and is not used\.[^]*The prompt, from Reins:/);
});

test.each(["top", "left"] as const)(
  "without a remote a bar at the %s says so, and so does its key",
  async (placement) => {
    const tui = openTui({ ...placed, prepare: repository, ui: { breadcrumb: { placement } } });
    await tui.shows("no remote");
    expect(tui.screen()).toContain("LOCAL");
    expect(tui.screen()).not.toContain("Create PR");
    tui.type(`${keys.ctrl("x")}b`);
    await tui.shows("git remote add origin <address>");
  },
);

test("hides it", async () => {
  const tui = openTui({ ...placed, ui: { breadcrumb: { placement: "hidden" } } });
  await tui.shows("Ctrl+X then ?");
  tui.send("say hello");
  await tui.shows("hello");
  expect(tui.screen()).not.toContain("LOCAL");
});
