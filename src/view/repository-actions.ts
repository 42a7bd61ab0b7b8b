/** Actions of the repository bar: which ones run git and `gh` directly, and which ones become a prompt to an agent. */
import type { PullRequest } from "./repository.ts";
import { repositorySkills, type RepositorySkill } from "./repository-skills.ts";

/** Facts about a repository that an action is planned from. */
export interface ActionFacts {
  /** Undefined when HEAD is detached. */
  readonly branch: string | undefined;
  readonly isDirty: boolean;
  readonly pullRequest?: PullRequest | undefined;
  /** Usually `main`. Undefined when unknown. */
  readonly defaultBranch?: string | undefined;
  /** Path of another worktree that has the default branch checked out. */
  readonly defaultBranchAt?: string | undefined;
  /** Reviewers to request: GitHub logins, or `organisation/team`. */
  readonly reviewers: readonly string[];
}

export type ActionPlan =
  | { readonly kind: "commands"; readonly commands: readonly (readonly string[])[] }
  | { readonly kind: "prompt" }
  | { readonly kind: "refused"; readonly reason: string };

/** Which repository action to prepare or run. All fields are optional. */
export interface RepositoryActionRequest {
  /** Default: the current folder. */
  readonly cwd?: string | undefined;
  /** Name of the action. Default: the next step of the repository, `RepositoryStatus.action.skill`. */
  readonly skill?: string | undefined;
  /** Runs the commands. Without it they are only shown. */
  readonly confirm?: true | undefined;
  /** With `confirm`: the `shown` text that the person agreed to. If the commands have changed since, they are refused. */
  readonly shown?: string | undefined;
  /** For `request-review`: GitHub logins, or `organisation/team`. Default: everyone who has reviewed the pull request before. */
  readonly reviewers?: readonly string[] | undefined;
  /** Returns the text of the skill even when the action only runs a command. */
  readonly as?: "prompt" | undefined;
}

/** Commands to confirm, the result of confirmed commands, or a prompt for an agent. */
export type RepositoryActionResult =
  | {
      readonly kind: "commands";
      readonly skill: RepositorySkill;
      /** Each is a program and its arguments. Run in this order, without a shell. */
      readonly commands: readonly (readonly string[])[];
      /** The commands as text, one per line, to be shown before the person confirms. */
      readonly shown: string;
    }
  | {
      readonly kind: "ran";
      readonly skill: RepositorySkill;
      readonly commands: readonly (readonly string[])[];
      readonly shown: string;
      /** The end of the commands' output, without control characters and secrets. */
      readonly output: string;
      /** Exit code of the last command that ran; a failing command is the last. Null when it was stopped. */
      readonly exitCode: number | null;
    }
  | {
      readonly kind: "prompt";
      readonly skill: RepositorySkill;
      readonly text: string;
      /** Origin of the skill text. A project's file came with the repository: show the text before sending it. */
      readonly source: SkillSource;
      /** Problems with skill files that could not be used or read, one sentence each. */
      readonly notes: readonly string[];
    };

/** Where the text of a skill comes from. */
export type SkillSource =
  | { readonly from: "built-in" }
  /** `path` is relative to the repository: `.reins/skills/fix-ci/SKILL.md`. */
  | { readonly from: "project"; readonly path: string };

export const isRepositorySkill = (skill: string): skill is RepositorySkill => Object.hasOwn(repositorySkills, skill);

type Planner = (facts: ActionFacts) => ActionPlan;

const prompt: Planner = () => ({ kind: "prompt" });
const commands = (...argv: readonly (readonly string[])[]): ActionPlan => ({ kind: "commands", commands: argv });
const refused = (reason: string): ActionPlan => ({ kind: "refused", reason });

/** Plans an action that needs an open pull request. */
const withOpen =
  (plan: (pullRequest: PullRequest, facts: ActionFacts) => ActionPlan): Planner =>
  (facts) => {
    const { pullRequest } = facts;
    if (pullRequest === undefined) return refused("This branch has no pull request.");
    const { number, state } = pullRequest;
    if (state !== "OPEN") return refused(`Pull request #${number} is ${state.toLowerCase()}.`);
    return plan(pullRequest, facts);
  };

/** A GitHub login or a team. The pattern excludes options of `gh` and comma-separated lists. */
const login = /^[A-Za-z0-9][\w.-]{0,99}(?:\/[\w.-]{1,100})?$/;

const planners: Readonly<Record<RepositorySkill, Planner>> = {
  "commit-changes": prompt,
  "push-and-create-pr": prompt,
  "create-pr": prompt,
  "cleanup-branch": cleanUp,
  "reopen-or-new": ({ pullRequest }) =>
    pullRequest?.state === "CLOSED" ? commands(["gh", "pr", "reopen", String(pullRequest.number)]) : { kind: "prompt" },
  "mark-ready": withOpen(({ number, isDraft }) =>
    isDraft ? commands(["gh", "pr", "ready", String(number)]) : refused(`Pull request #${number} is not a draft.`),
  ),
  "resolve-conflicts": prompt,
  "fix-ci": prompt,
  "merge-pr": withOpen(({ number, isDraft, mergeable }) => {
    if (isDraft) return refused(`Pull request #${number} is a draft.`);
    if (mergeable === "CONFLICTING") return refused(`Pull request #${number} has merge conflicts.`);
    return commands(["gh", "pr", "merge", String(number), "--squash", "--delete-branch"]);
  }),
  "address-feedback": prompt,
  "check-review": prompt,
  "request-review": withOpen(({ number }, { reviewers }) => {
    if (reviewers.length === 0) return { kind: "prompt" };
    const wrong = reviewers.find((name) => !login.test(name));
    if (wrong !== undefined) return refused(`${JSON.stringify(wrong)} is not a GitHub login or team.`);
    return commands(["gh", "pr", "edit", String(number), "--add-reviewer", reviewers.join(",")]);
  }),
};

export const planAction = (skill: RepositorySkill, facts: ActionFacts): ActionPlan => planners[skill](facts);

/** `git branch -d` keeps a branch that has unmerged work. */
function cleanUp({ branch, isDirty, pullRequest, defaultBranch, defaultBranchAt }: ActionFacts): ActionPlan {
  if (branch === undefined) return refused("No branch is checked out here, so there is none to delete.");
  if (defaultBranch === undefined) return refused("The default branch of this repository is unknown.");
  if (branch === defaultBranch) return refused(`${branch} is the default branch and cannot be deleted.`);
  if (pullRequest?.state !== "MERGED") return refused(`The branch ${branch} has no merged pull request.`);
  if (isDirty) return refused("There are uncommitted changes. Commit or stash them first.");
  if (defaultBranchAt !== undefined)
    return refused(`${defaultBranch} is checked out in the worktree ${defaultBranchAt}: clean up there.`);
  // Git creates no branch whose name starts with "-", but a folder from elsewhere may have one, and git would read it as an option.
  if (branch.startsWith("-") || defaultBranch.startsWith("-"))
    return refused("The branch name looks like a command-line option.");
  return commands(["git", "switch", defaultBranch], ["git", "pull", "--ff-only"], ["git", "branch", "-d", branch]);
}
