/** The state of a repository and its pull request, as the repository bar shows it: `repo > branch > STATUS (PR #n) [action →]`. */
import { oneLine } from "../events/printable.ts";

/** Summary of the checks of a pull request. Null when there are none. */
export type ChecksStatus = "pass" | "fail" | "pending" | null;

/** A pull request with the fields and values of `gh pr view --json`. */
export interface PullRequest {
  readonly number: number;
  readonly url: string;
  readonly title: string;
  readonly state: "OPEN" | "MERGED" | "CLOSED";
  readonly isDraft: boolean;
  /** `MERGEABLE`, `CONFLICTING` or `UNKNOWN`. */
  readonly mergeable: string;
  /** `APPROVED`, `CHANGES_REQUESTED` or `REVIEW_REQUIRED`; empty when no review is required. */
  readonly reviewDecision: string;
}

/** Results of git and `gh` for a folder, from which its state is derived. */
export interface RepositoryFacts {
  readonly repoName: string;
  /** Name of the branch, or `detached at 1a2b3c4`. */
  readonly branch: string;
  /** True when files are changed, new or in conflict. */
  readonly isDirty: boolean;
  /** True when there are commits that no remote has; false without a remote. */
  readonly isAhead: boolean;
  /** True when the remote branch has commits that are missing here. */
  readonly isBehind: boolean;
  readonly hasConflicts: boolean;
  readonly hasRemote: boolean;
  readonly checksStatus: ChecksStatus;
  readonly pullRequest?: PullRequest | undefined;
}

/** A suggested next step for a repository. */
export interface RepositoryAction {
  readonly label: string;
  /** Name of the skill that does it: `.reins/skills/<skill>/SKILL.md`, else a built-in one. */
  readonly skill: string;
  readonly description: string;
}

/** A repository, its branch and pull request, and the suggested next step. */
export interface RepositoryStatus {
  readonly repoName: string;
  /** Name of the branch, or `detached at 1a2b3c4`. */
  readonly branch: string;
  readonly status: RepositoryState;
  readonly prNumber: number | null;
  readonly prUrl: string | null;
  readonly prTitle: string | null;
  readonly isDirty: boolean;
  readonly isAhead: boolean;
  readonly isBehind: boolean;
  readonly checksStatus: ChecksStatus;
  /** The suggested next step. */
  readonly action: RepositoryAction;
  /** Set where the step cannot be taken because the repository lacks this. */
  readonly missing?: "remote" | undefined;
}

/** What is said instead of an action that cannot be taken, and what to do about it. */
export const missingWords = {
  remote: {
    label: "no remote",
    help: "This repository has no remote, so there can be no pull request. Add one: git remote add origin <address>",
  },
} as const;

interface StateRow {
  readonly when: (facts: RepositoryFacts, pullRequest: PullRequest | undefined) => boolean;
  readonly label: string;
  readonly color: `#${string}`;
  readonly action: RepositoryAction;
}

const row = (
  when: StateRow["when"],
  label: string,
  color: StateRow["color"],
  [action, skill, description]: readonly [label: string, skill: string, description: string],
): StateRow => ({ when, label, color, action: { label: action, skill, description } });

/** All states, in the order in which they are tried: the first that fits is the state of the repository. */
const states = {
  local_dirty: row((facts, pr) => pr === undefined && facts.isDirty, "DIRTY", "#FFAA00", [
    "Commit & Push",
    "commit-changes",
    "Stage, commit, and push changes",
  ]),
  local_ahead: row((facts, pr) => pr === undefined && facts.isAhead, "AHEAD", "#00AAFF", [
    "Push & Create PR",
    "push-and-create-pr",
    "Push commits and create a PR",
  ]),
  local_clean: row((_facts, pr) => pr === undefined, "LOCAL", "#888888", [
    "Create PR",
    "create-pr",
    "Create a pull request for this branch",
  ]),
  merged: row((_facts, pr) => pr?.state === "MERGED", "MERGED", "#A855F7", [
    "Clean Up",
    "cleanup-branch",
    "Delete merged branch and switch to main",
  ]),
  closed: row((_facts, pr) => pr?.state === "CLOSED", "CLOSED", "#666666", [
    "Reopen / New PR",
    "reopen-or-new",
    "Reopen the PR or create a new one",
  ]),
  draft: row((_facts, pr) => pr?.isDraft === true, "DRAFT", "#888888", [
    "Ready for Review",
    "mark-ready",
    "Mark PR as ready for review",
  ]),
  merge_conflicts: row(
    (facts, pr) => pr?.mergeable === "CONFLICTING" || facts.hasConflicts,
    "MERGE CONFLICTS",
    "#FF0000",
    ["Resolve Conflicts", "resolve-conflicts", "Resolve merge conflicts"],
  ),
  ci_failing: row((facts) => facts.checksStatus === "fail", "CI FAILING", "#FF4444", [
    "Fix CI",
    "fix-ci",
    "Investigate and fix failing CI checks",
  ]),
  approved: row((_facts, pr) => pr?.reviewDecision === "APPROVED", "APPROVED", "#00FF00", [
    "Merge PR",
    "merge-pr",
    "Merge the approved pull request",
  ]),
  changes_requested: row((_facts, pr) => pr?.reviewDecision === "CHANGES_REQUESTED", "CHANGES REQUESTED", "#FF4444", [
    "Address Feedback",
    "address-feedback",
    "Review and address requested changes",
  ]),
  review_requested: row((_facts, pr) => pr?.reviewDecision === "REVIEW_REQUIRED", "REVIEW", "#FFAA00", [
    "Check Status",
    "check-review",
    "Check review status and comments",
  ]),
  open: row(() => true, "OPEN", "#00AAFF", ["Request Review", "request-review", "Request a code review"]),
} as const satisfies Readonly<Record<string, StateRow>>;

/** State of a repository, such as `local_dirty`, `ci_failing` or `approved`. */
export type RepositoryState = keyof typeof states;

/** The label and colour of a state. */
export const repositoryLabel = (state: RepositoryState): Pick<StateRow, "label" | "color"> => states[state];

export function repositoryStatus(facts: RepositoryFacts): RepositoryStatus {
  const { repoName, branch, isDirty, isAhead, isBehind, hasRemote, checksStatus, pullRequest } = facts;
  const [status, { action }] = (Object.entries(states) as [RepositoryState, StateRow][]).find(([, { when }]) =>
    when(facts, pullRequest),
  )!;
  return {
    ...{ repoName, branch, status },
    prNumber: pullRequest?.number ?? null,
    prUrl: pullRequest?.url ?? null,
    prTitle: pullRequest?.title ?? null,
    ...{ isDirty, isAhead, isBehind, checksStatus, action },
    ...(status === "local_clean" && !hasRemote && { missing: "remote" as const }),
  };
}

/** Formats the bar: `reins > main > OPEN (PR #7) [Request Review →]`, or `reins > main > LOCAL (no remote)`. */
export function repositoryLine({ repoName, branch, status, prNumber, action, missing }: RepositoryStatus): string {
  const pullRequest = prNumber === null ? "" : ` (PR #${prNumber})`;
  const next = missing === undefined ? `[${action.label} →]` : `(${missingWords[missing].label})`;
  return `${oneLine(repoName)} > ${oneLine(branch)} > ${states[status].label}${pullRequest} ${next}`;
}
