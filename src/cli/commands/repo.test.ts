import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { Place } from "../../../test/support/command.ts";
import { git, repository } from "../../../test/support/repository.ts";

it("shows the repository of a folder in one line, or as JSON", async () => {
  using place = new Place();
  repository(place.cwd);
  git(place.cwd, "checkout", "--quiet", "-b", "feature/\u{202e}a");
  const { stdout, code } = await place.run(["repo"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^work-\w+ > feature\/.*a > LOCAL \(no remote\)\n$/);
  expect(stdout).not.toContain("\u{202e}");
  const json = await place.run(["repo", "--json", "--cwd", place.cwd]);
  expect(JSON.parse(json.stdout)).toMatchObject({
    status: "local_clean",
    action: { skill: "create-pr" },
    missing: "remote",
  });
});

it("says in one sentence that a folder is in no repository", async () => {
  using place = new Place();
  const { stderr, code } = await place.run(["repo"]);
  expect(stderr).toMatch(/^reins: .* is not in a git work tree, or git is not installed\.\n$/);
  expect(code).toBe(2);
});

describe("--do", () => {
  /** A `gh` that knows a draft pull request and prints its arguments. */
  function prepare(place: Place): { env: Record<string, string> } {
    repository(place.cwd);
    git(place.cwd, "remote", "add", "origin", "https://example.com/team/project.git");
    const bin = join(place.home, "bin");
    mkdirSync(bin);
    const draft = JSON.stringify({ number: 7, url: "https://example.com/7", title: "A", state: "OPEN", isDraft: true });
    const script = `#!/bin/sh\n[ "$1 $2" = "pr view" ] && exec echo '${draft}'\necho "called: gh $*"\n`;
    writeFileSync(join(bin, "gh"), script, { mode: 0o755 });
    return { env: { PATH: `${bin}:${process.env["PATH"] ?? ""}` } };
  }

  it("shows the command, and runs it with --yes or after a yes", async () => {
    using place = new Place();
    const options = prepare(place);
    const alone = await place.run(["repo", "--do"], options);
    expect(alone).toEqual({
      ...{ code: 4, stdout: "" },
      stderr: "gh pr ready 7\nThere is no terminal to confirm at. Use `--yes` to run without asking.\n",
    });
    const ran = await place.run(["repo", "--do", "--yes"], options);
    expect(ran).toEqual({ code: 0, stdout: "$ gh pr ready 7\ncalled: gh pr ready 7\n", stderr: "gh pr ready 7\n" });
    const json = await place.run(["repo", "--do", "mark-ready", "--json"], options);
    expect(JSON.parse(json.stdout)).toMatchObject({ kind: "commands", commands: [["gh", "pr", "ready", "7"]] });
  });

  it("prints the prompt of another action, and refuses an impossible one", async () => {
    using place = new Place();
    const options = prepare(place);
    const { code, stdout } = await place.run(["repo", "--do", "create-pr"], options);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Open a pull request/) });
    const refused = await place.run(["repo", "--do", "merge-pr", "--yes"], options);
    expect(refused).toEqual({ code: 2, stdout: "", stderr: "reins: Pull request #7 is a draft.\n" });
  });

  it("sends the prompt to an agent, but a project's text only after a yes", async () => {
    using place = new Place();
    const options = prepare(place);
    const file = join(place.cwd, ".reins", "skills", "create-pr", "SKILL.md");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "say hello from the skill");
    const asked = await place.run(["repo", "--do", "create-pr", "-a", "demo"], options);
    expect(asked.code).toBe(4);
    expect(asked.stderr).toContain("in .reins/skills/create-pr/SKILL.md:\n\nsay hello from the skill");
    const sent = await place.run(["repo", "--do", "create-pr", "-a", "demo", "--yes"], options);
    expect(sent.code).toBe(0);
    expect(sent.stdout).toContain("hello from the skill");
  });
});
