import { expect, it } from "vitest";
import { Place } from "../../../test/support/command.ts";
import { git, repository } from "../../../test/support/repository.ts";

it("shows the repository of a folder in one line, or all of it as JSON", async () => {
  using place = new Place();
  repository(place.cwd);
  git(place.cwd, "checkout", "--quiet", "-b", "feature/\u{202e}a");
  const { stdout, code } = await place.run(["repo"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^work-\w+ > feature\/.*a > LOCAL \[Create PR →\]\n$/);
  expect(stdout).not.toContain("\u{202e}");
  const json = await place.run(["repo", "--json", "--cwd", place.cwd]);
  expect(JSON.parse(json.stdout)).toMatchObject({ status: "local_clean", action: { skill: "create-pr" } });
});

it("says in one sentence that a folder is in no repository", async () => {
  using place = new Place();
  const { stderr, code } = await place.run(["repo"]);
  expect(stderr).toMatch(/^reins: .* is not in a git work tree, or git is not installed\.\n$/);
  expect(code).toBe(2);
});
