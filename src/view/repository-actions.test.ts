import { describe, expect, it } from "vitest";
import { isRepositorySkill, planAction, type ActionFacts } from "./repository-actions.ts";
import { repositorySkills, type RepositorySkill } from "./repository-skills.ts";
import { repositoryStatus, type PullRequest, type RepositoryFacts } from "./repository.ts";

const pullRequest = (over: Partial<PullRequest> = {}): PullRequest => ({
  ...{ number: 7, url: "https://example.com/7", title: "A title", state: "OPEN", isDraft: false },
  ...{ mergeable: "MERGEABLE", reviewDecision: "" },
  ...over,
});
const facts = (over: Partial<ActionFacts> = {}): ActionFacts => ({
  ...{ branch: "feature", isDirty: false, defaultBranch: "main", reviewers: [], pullRequest: pullRequest() },
  ...over,
});
const merged = pullRequest({ state: "MERGED" });
const closed = pullRequest({ state: "CLOSED" });
const draft = pullRequest({ isDraft: true });

describe("planAction", () => {
  it.each<[RepositorySkill, Partial<ActionFacts>, string[]]>([
    ["mark-ready", { pullRequest: draft }, ["gh pr ready 7"]],
    ["merge-pr", {}, ["gh pr merge 7 --squash --delete-branch"]],
    ["request-review", { reviewers: ["ann", "team/core"] }, ["gh pr edit 7 --add-reviewer ann,team/core"]],
    ["reopen-or-new", { pullRequest: closed }, ["gh pr reopen 7"]],
    ["cleanup-branch", { pullRequest: merged }, ["git switch main", "git pull --ff-only", "git branch -d feature"]],
  ])("runs commands: %s", (skill, over, expected) => {
    const plan = planAction(skill, facts(over));
    expect(plan.kind === "commands" && plan.commands.map((argv) => argv.join(" "))).toEqual(expected);
  });

  it.each<[RepositorySkill, Partial<ActionFacts>?]>([
    ["commit-changes"],
    ["push-and-create-pr"],
    ["create-pr"],
    ["resolve-conflicts"],
    ["fix-ci"],
    ["address-feedback"],
    ["check-review"],
    ["request-review"],
    ["reopen-or-new"],
    ["reopen-or-new", { pullRequest: merged }],
    ["reopen-or-new", { pullRequest: undefined }],
  ])("sends a prompt: %s", (skill, over) => {
    expect(planAction(skill, facts(over))).toEqual({ kind: "prompt" });
  });

  it.each<[RepositorySkill, Partial<ActionFacts>, RegExp]>([
    ["mark-ready", {}, /not a draft/],
    ["mark-ready", { pullRequest: merged }, /is merged/],
    ["mark-ready", { pullRequest: undefined }, /no pull request/],
    ["merge-pr", { pullRequest: draft }, /is a draft/],
    ["merge-pr", { pullRequest: pullRequest({ mergeable: "CONFLICTING" }) }, /conflicts/],
    ["merge-pr", { pullRequest: merged }, /is merged/],
    ["request-review", { reviewers: ["--remove-reviewer"] }, /not a GitHub login/],
    ["request-review", { reviewers: ["ann,bob"] }, /not a GitHub login/],
    ["request-review", { reviewers: ["ann"], pullRequest: closed }, /is closed/],
    ["cleanup-branch", {}, /no merged pull request/],
    ["cleanup-branch", { pullRequest: merged, isDirty: true }, /uncommitted/],
    ["cleanup-branch", { pullRequest: merged, branch: undefined }, /No branch is checked out/],
    ["cleanup-branch", { pullRequest: merged, branch: "main" }, /default branch/],
    ["cleanup-branch", { pullRequest: merged, defaultBranch: undefined }, /unknown/],
    ["cleanup-branch", { pullRequest: merged, defaultBranchAt: "/other" }, /worktree \/other/],
    ["cleanup-branch", { pullRequest: merged, branch: "--force" }, /command-line option/],
    ["cleanup-branch", { pullRequest: merged, defaultBranch: "-f" }, /command-line option/],
  ])("refuses %s in one sentence: %o", (skill, over, reason) => {
    const plan = planAction(skill, facts(over));
    expect(plan.kind === "refused" && plan.reason).toMatch(reason);
  });
});

describe("built-in skills", () => {
  const base: RepositoryFacts = {
    ...{
      repoName: "a",
      branch: "b",
      isDirty: false,
      isAhead: false,
      isBehind: false,
      hasConflicts: false,
      hasRemote: true,
    },
    checksStatus: null,
  };

  it("exist for the action of every state", () => {
    const withPullRequest = (over: Partial<PullRequest>) => ({ ...base, pullRequest: pullRequest(over) });
    const all: readonly RepositoryFacts[] = [
      ...[{ ...base, isDirty: true }, { ...base, isAhead: true }, base],
      ...[
        withPullRequest({ state: "MERGED" }),
        withPullRequest({ state: "CLOSED" }),
        withPullRequest({ isDraft: true }),
      ],
      ...[withPullRequest({ mergeable: "CONFLICTING" }), { ...withPullRequest({}), checksStatus: "fail" as const }],
      ...["APPROVED", "CHANGES_REQUESTED", "REVIEW_REQUIRED", ""].map((reviewDecision) =>
        withPullRequest({ reviewDecision }),
      ),
    ];
    const used = all.map((one) => repositoryStatus(one).action.skill);
    expect(used.toSorted()).toEqual(Object.keys(repositorySkills).toSorted());
    expect(isRepositorySkill("fix-ci")).toBe(true);
    expect(isRepositorySkill("toString")).toBe(false);
  });

  it.each(Object.entries(repositorySkills))("%s is short and never discards work", (_skill, text) => {
    const lines = text.split("\n").filter((line) => line !== "");
    expect(lines.length).toBeGreaterThanOrEqual(5);
    expect(lines.length).toBeLessThanOrEqual(15);
    expect(text).toContain("Never force-push");
    expect(text).not.toMatch(/git push (--force|-f)|reset --hard|branch -D|clean -f/);
  });
});
