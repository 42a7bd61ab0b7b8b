import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { testFolder } from "../../../test/support/core.ts";
import { git, repository } from "../../../test/support/repository.ts";
import { createReins } from "../reins.ts";

function place() {
  const home = testFolder();
  const cwd = testFolder();
  const open = () => {
    const reins = createReins({ env: { PATH: process.env["PATH"], HOME: home, REINS_HOME: home }, guardian: false });
    onTestFinished(() => reins.close());
    return reins;
  };
  return { home, cwd, open, reins: open() };
}

const target = { repository: "https://example.com/team/other", ref: "v1", branch: "topic/x", createPr: true };

test("suggests the remote and branch, and notes an unpushed branch", async () => {
  const { cwd, reins } = place();
  repository(cwd);
  git(cwd, "remote", "add", "origin", "git@example.com:team/project.git");
  expect(await reins.cloudTarget({ cwd })).toEqual({
    remembered: undefined,
    suggested: { repository: "https://example.com/team/project", ref: "main" },
    note: "The branch main is not pushed: a cloud agent does not see it.",
  });
  git(cwd, "update-ref", "refs/remotes/origin/main", "HEAD");
  expect((await reins.cloudTarget({ cwd })).note).toBeUndefined();
});

test("suggests nothing without a repository, and says why", async () => {
  const { cwd, reins } = place();
  const { suggested, note } = await reins.cloudTarget({ cwd });
  expect(suggested).toEqual({});
  expect(note).toContain("no remote");
  await expect(reins.cloudTarget({ cwd: join(cwd, "missing") })).rejects.toMatchObject({ code: "invalid_input" });
});

test("saves a choice for all folders of the repository and every Reins, until it is deleted", async () => {
  const { cwd, reins, open, home } = place();
  repository(cwd);
  const below = join(cwd, "src");
  mkdirSync(below);
  await reins.saveCloudTarget(target, { cwd: below });
  expect((await open().cloudTarget({ cwd })).remembered).toEqual(target);
  const [file] = readdirSync(join(home, "cloud-targets"));
  expect(statSync(join(home, "cloud-targets", file!)).mode & 0o777).toBe(0o600);
  expect((await reins.cloudTarget({ cwd: testFolder() })).remembered).toBeUndefined();
  await reins.saveCloudTarget(undefined, { cwd });
  expect((await reins.cloudTarget({ cwd })).remembered).toBeUndefined();
  await reins.saveCloudTarget(undefined, { cwd });
});

test("ignores a choice for another remote", async () => {
  const { cwd, reins } = place();
  repository(cwd);
  git(cwd, "remote", "add", "origin", "https://example.com/team/project.git");
  await reins.saveCloudTarget(target, { cwd });
  git(cwd, "remote", "set-url", "origin", "https://example.com/team/unrelated.git");
  expect((await reins.cloudTarget({ cwd })).remembered).toBeUndefined();
});

test("ignores a damaged file", async () => {
  const { cwd, reins, home } = place();
  await reins.saveCloudTarget(target, { cwd });
  const [file] = readdirSync(join(home, "cloud-targets"));
  const path = join(home, "cloud-targets", file!);
  const kept = readFileSync(path, "utf8");
  for (const damaged of ["", "{", "null", "[]", kept.replace("https:", "file:"), kept.replace("v1", "a b")]) {
    writeFileSync(path, damaged);
    expect((await reins.cloudTarget({ cwd })).remembered).toBeUndefined();
  }
});

test("leaves one whole choice when two windows save at once", async () => {
  const { cwd, reins, open, home } = place();
  const other = open();
  await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      (at % 2 === 0 ? reins : other).saveCloudTarget({ ...target, ref: `v${at}` }, { cwd }),
    ),
  );
  expect((await reins.cloudTarget({ cwd })).remembered?.ref).toMatch(/^v\d+$/);
  expect(readdirSync(join(home, "cloud-targets"))).toHaveLength(1);
});

test.each([
  ["a folder", { repository: "/srv/project.git" }],
  ["words", { repository: "team project" }],
  ["a line break", { repository: "https://example.com/a\nb" }],
  ["a branch with a blank", { ref: "a b" }],
  ["an option", { branch: "--force" }],
  ["an escape sequence", { branch: "a\u001b[2J" }],
  ["a very long name", { ref: "x".repeat(10_000) }],
])("refuses %s and saves nothing", async (_what, wanted) => {
  const { cwd, reins } = place();
  const refused = reins.saveCloudTarget(wanted, { cwd });
  await expect(refused).rejects.toMatchObject({ code: "invalid_input" });
  await expect(refused).rejects.not.toThrow(/\u001b/);
  expect((await reins.cloudTarget({ cwd })).remembered).toBeUndefined();
});

test("trims input and ignores empty fields", async () => {
  const { cwd, reins } = place();
  await reins.saveCloudTarget({ repository: " git@example.com:team/project.git ", ref: "", branch: "  " }, { cwd });
  expect((await reins.cloudTarget({ cwd })).remembered).toEqual({
    repository: "https://example.com/team/project",
    createPr: false,
  });
});
