/** The actions of the repository bar: which run git and `gh` directly, and which become a prompt to an agent. */
import type { PullRequest } from "./repository.ts";
import { repositorySkills, type RepositorySkill } from "./repository-skills.ts";

/** What is known about a repository before an action. */
export interface ActionFacts {
  /** The name of the branch; undefined where HEAD is detached. */
  readonly branch: string | undefined;
  readonly isDirty: boolean;
  readonly pullRequest?: PullRequest | undefined;
  /** `main`, in most repositories. Undefined where it is unknown. */
  readonly defaultBranch?: string | undefined;
  /** Another worktree that has the default branch checked out. */
  readonly defaultBranchAt?: string | undefined;
  /** Who is asked for a review: GitHub logins, or `organisation/team`. */
  readonly reviewers: readonly string[];
}

export type ActionPlan =
  | { readonly kind: "commands"; readonly commands: readonly (readonly string[])[] }
  | { readonly kind: "prompt" }
  | { readonly kind: "refused"; readonly reason: string };

export interface RepositoryActionRequest {
  /** Default: the current folder. */
  readonly cwd?: string | undefined;
  /** Default: the next step of the repository, `RepositoryStatus.action.skill`. */
  readonly skill?: string | undefined;
  /** Runs the commands. Without it they are only shown. */
  readonly confirm?: true | undefined;
  /** With `confirm`: the `shown` that the person has agreed to. Other commands are refused. */
  readonly shown?: string | undefined;
  /** For `request-review`: GitHub logins, or `organisation/team`. Default: who has reviewed the pull request before. */
  readonly reviewers?: readonly string[] | undefined;
  /** Gives the text of the skill, even where the action is only a command. */
  readonly as?: "prompt" | undefined;
}

/** Commands that a person has to confirm, the result of confirmed ones, or a prompt for an agent. */
export type RepositoryActionResult =
  | {
      readonly kind: "commands";
      readonly skill: RepositorySkill;
      /** Each a program and its arguments, run in this order without a shell. */
      readonly commands: readonly (readonly string[])[];
      /** One line for each command, to be shown before it is confirmed. */
      readonly shown: string;
    }
  | {
      readonly kind: "ran";
      readonly skill: RepositorySkill;
      readonly commands: readonly (readonly string[])[];
      readonly shown: string;
      /** The end of what the commands printed, without control characters and secrets. */
      readonly output: string;
      /** Of the last command that ran: the first that fails is the last. Null where it was stopped. */
      readonly exitCode: number | null;
    }
  | {
      readonly kind: "prompt";
      readonly skill: RepositorySkill;
      readonly text: string;
      /** A project's file came with the repository: show the text before it is sent. */
      readonly source: SkillSource;
      /** What could not be used or read, one sentence each. */
      readonly notes: readonly string[];
    };

export type SkillSource =
  | { readonly from: "built-in" }
  /** `path` starts in the repository: `.reins/skills/fix-ci/SKILL.md`. */
  | { readonly from: "project"; readonly path: string };

export const isRepositorySkill = (skill: string): skill is RepositorySkill => Object.hasOwn(repositorySkills, skill);

type Planner = (facts: ActionFacts) => ActionPlan;

const prompt: Planner = () => ({ kind: "prompt" });
const commands = (...argv: readonly (readonly string[])[]): ActionPlan => ({ kind: "commands", commands: argv });
const refused = (reason: string): ActionPlan => ({ kind: "refused", reason });

/** A plan for a pull request that is there and open. */
const withOpen =
  (plan: (pullRequest: PullRequest, facts: ActionFacts) => ActionPlan): Planner =>
  (facts) => {
    const { pullRequest } = facts;
    if (pullRequest === undefined) return refused("This branch has no pull request.");
    const { number, state } = pullRequest;
    if (state !== "OPEN") return refused(`Pull request #${number} is ${state.toLowerCase()}.`);
    return plan(pullRequest, facts);
  };

/** A login of GitHub, or a team: never an option of `gh`, and no list of several. */
const login = /^[A-Za-z0-9][\w.-]{0,99}(?:\/[\w.-]{1,100})?$/;

const planners: Readonly<Record<RepositorySkill, Planner>> = {
  "commit-changes": prompt,
  "push-and-create-pr": prompt,
  "create-pr": prompt,
  "cleanup-branch": cleanUp,
  "reopen-or-new": ({ pullRequest }) =>
    pullRequest?.state === "CLOSED" ? commands(["gh", "pr", "reopen", String(pullRequest.number)]) : { kind: "prompt" },
  "mark-ready": withOpen(({ number, isDraft }) =>
    isDraft ? commands(["gh", "pr", "ready", String(number)]) : refused(`Pull request #${number} is no draft.`),
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
    if (wrong !== undefined) return refused(`${JSON.stringify(wrong)} is no GitHub login or team.`);
    return commands(["gh", "pr", "edit", String(number), "--add-reviewer", reviewers.join(",")]);
  }),
};

export const planAction = (skill: RepositorySkill, facts: ActionFacts): ActionPlan => planners[skill](facts);

/** `git branch -d` keeps a branch with work that is not merged. */
function cleanUp({ branch, isDirty, pullRequest, defaultBranch, defaultBranchAt }: ActionFacts): ActionPlan {
  if (branch === undefined) return refused("No branch is checked out here, so there is none to delete.");
  if (defaultBranch === undefined) return refused("The default branch of this repository is unknown.");
  if (branch === defaultBranch) return refused(`${branch} is the default branch and stays.`);
  if (pullRequest?.state !== "MERGED") return refused(`The branch ${branch} has no pull request that is merged.`);
  if (isDirty) return refused("There are changes that are not committed: commit or stash them first.");
  if (defaultBranchAt !== undefined)
    return refused(`${defaultBranch} is checked out in the worktree ${defaultBranchAt}: clean up there.`);
  // Git makes no such branch, but a folder from elsewhere may have one, and it would be read as an option.
  if (branch.startsWith("-") || defaultBranch.startsWith("-")) return refused("The name of the branch is an option.");
  return commands(["git", "switch", defaultBranch], ["git", "pull", "--ff-only"], ["git", "branch", "-d", branch]);
}
