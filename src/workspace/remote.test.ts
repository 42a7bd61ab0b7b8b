import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { defaultDeadlines } from "../events/deadlines.ts";
import { defaultLimits } from "../events/limits.ts";
import { createRedactor } from "../events/redact.ts";
import { createProcesses } from "../process/index.ts";
import { testFolder } from "../../test/support/core.ts";
import { git, repository } from "../../test/support/repository.ts";
import { gitRemote, publicAddress } from "./remote.ts";

test.each([
  ["https://github.com/o/r.git", "https://github.com/o/r"],
  ["https://ada:secret@github.com/o/r", "https://github.com/o/r"],
  ["git@github.com:o/r.git", "https://github.com/o/r"],
  ["github.com:o/r/", "https://github.com/o/r"],
  ["ssh://git@github.com:22/o/r.git", "https://github.com/o/r"],
  ["https://git.example.com:8443/o/r", "https://git.example.com:8443/o/r"],
  ["../elsewhere", undefined],
  ["/srv/r.git", undefined],
  ["file:///srv/r.git", undefined],
  ["", undefined],
])("turns %s into %s", (address, url) => expect(publicAddress(address)).toBe(url));

function ask(cwd: string): ReturnType<typeof gitRemote> {
  const env = { PATH: process.env["PATH"], HOME: testFolder() };
  const processes = createProcesses({
    ...{ env, deadlines: defaultDeadlines, limits: defaultLimits, guardian: false },
    redact: createRedactor(env),
  });
  onTestFinished(() => processes.close());
  return gitRemote(processes, cwd, env);
}

test("returns undefined for a folder that is no repository", async () => {
  expect(await ask(testFolder())).toBeUndefined();
});

test("prefers origin, and skips a remote that is a local folder", async () => {
  const cwd = testFolder();
  repository(cwd);
  expect(await ask(cwd)).toMatchObject({ repository: undefined, branch: "main", isPushed: false });
  git(cwd, "remote", "add", "backup", "/srv/backup.git");
  expect(await ask(cwd)).toMatchObject({ repository: undefined });
  git(cwd, "remote", "add", "another", "git@example.com:team/another.git");
  expect(await ask(cwd)).toMatchObject({ repository: "https://example.com/team/another" });
  git(cwd, "remote", "add", "origin", "https://ada:secret@example.com/team/project.git");
  expect(await ask(cwd)).toMatchObject({ repository: "https://example.com/team/project" });
});

test("reports a branch as pushed once the remote has it, and no branch for a detached HEAD", async () => {
  const cwd = testFolder();
  repository(cwd);
  git(cwd, "remote", "add", "origin", "https://example.com/team/project.git");
  git(cwd, "update-ref", "refs/remotes/origin/main", "HEAD");
  expect(await ask(cwd)).toMatchObject({ branch: "main", isPushed: true });
  git(cwd, "switch", "--quiet", "--create", "topic");
  expect(await ask(cwd)).toMatchObject({ branch: "topic", isPushed: false });
  writeFileSync(join(cwd, "b.txt"), "two");
  git(cwd, "checkout", "--quiet", "--detach");
  expect(await ask(cwd)).toMatchObject({ branch: undefined, isPushed: false });
});
