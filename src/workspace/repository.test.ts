import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { testFolder } from "../../test/support/core.ts";
import { testProcesses } from "../../test/support/processes.ts";
import { git, repository } from "../../test/support/repository.ts";
import type { Processes } from "../process/types.ts";
import { askGh, defaultBranchOf } from "./repository.ts";

let processes: Processes;
beforeEach(() => {
  processes = testProcesses(testFolder());
});
afterEach(() => processes.close());

describe("askGh", () => {
  function ask(script: string, cwd = testFolder()) {
    const bin = testFolder();
    writeFileSync(join(bin, "gh"), script, { mode: 0o755 });
    return askGh(processes, cwd, { PATH: `${bin}:/usr/bin:/bin`, HOME: cwd }, 60_000)("pr", "view");
  }

  it("reads the JSON that gh prints", async () => {
    expect(await ask("#!/bin/sh\necho '{ \"number\": 7 }'\n")).toEqual({ number: 7 });
  });

  it("refuses JSON that is too long to be kept whole", async () => {
    const long = "#!/bin/sh\nprintf '\"'; head -c 20000000 /dev/zero | tr '\\0' x; printf '\"'\n";
    await expect(ask(long)).rejects.toThrow("did not print the JSON");
  });

  it("reports a missing folder as such, and not as a missing gh", async () => {
    const gone = join(testFolder(), "gone");
    await expect(ask("#!/bin/sh\n", gone)).rejects.toMatchObject({ code: "invalid_input" });
  });
});

describe("defaultBranchOf", () => {
  const env = { PATH: "/usr/bin:/bin" };

  it("does not name the folder itself as the other worktree", async () => {
    const cwd = testFolder();
    repository(cwd);
    expect(await defaultBranchOf(processes, cwd, env)).toEqual({ defaultBranch: "main", defaultBranchAt: undefined });
  });

  it("names the worktree that has the default branch", async () => {
    const [cwd, folder] = [testFolder(), testFolder()];
    repository(cwd);
    git(cwd, "worktree", "add", "--quiet", "-b", "topic", join(folder, "topic"));
    expect(await defaultBranchOf(processes, join(folder, "topic"), env)).toEqual({
      defaultBranch: "main",
      defaultBranchAt: cwd,
    });
  });

  it("returns undefined if the branches have other names", async () => {
    const cwd = testFolder();
    mkdirSync(join(cwd, "work"));
    git(join(cwd, "work"), "init", "--quiet", "--initial-branch=trunk");
    expect(await defaultBranchOf(processes, join(cwd, "work"), env)).toEqual({
      defaultBranch: undefined,
      defaultBranchAt: undefined,
    });
  });
});
