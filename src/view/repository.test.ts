import { describe, expect, it } from "vitest";
import {
  repositoryLabel,
  repositoryLine,
  repositoryStatus,
  type PullRequest,
  type RepositoryFacts,
} from "./repository.ts";

const quiet: RepositoryFacts = {
  ...{ repoName: "reins", branch: "main", isDirty: false, isAhead: false, isBehind: false },
  ...{ hasConflicts: false, hasRemote: true, checksStatus: null },
};
const pullRequest: PullRequest = {
  ...{ number: 7, url: "https://example.com/7", title: "A title", state: "OPEN", isDraft: false },
  ...{ mergeable: "MERGEABLE", reviewDecision: "" },
};
const withRequest = (more: Partial<PullRequest>, facts: Partial<RepositoryFacts> = {}): RepositoryFacts => ({
  ...quiet,
  ...facts,
  pullRequest: { ...pullRequest, ...more },
});

/** Facts that fit several states at once; the order of the table decides. */
const all = { isDirty: true, isAhead: true, hasConflicts: true, checksStatus: "fail" } as const;

const rows: readonly (readonly [string, string, string, string, RepositoryFacts])[] = [
  ["local_dirty", "DIRTY", "#FFAA00", "commit-changes", { ...quiet, ...all }],
  ["local_ahead", "AHEAD", "#00AAFF", "push-and-create-pr", { ...quiet, isAhead: true }],
  ["local_clean", "LOCAL", "#888888", "create-pr", { ...quiet, isBehind: true }],
  ["merged", "MERGED", "#A855F7", "cleanup-branch", withRequest({ state: "MERGED", isDraft: true }, all)],
  ["closed", "CLOSED", "#666666", "reopen-or-new", withRequest({ state: "CLOSED", isDraft: true }, all)],
  ["draft", "DRAFT", "#888888", "mark-ready", withRequest({ isDraft: true, mergeable: "CONFLICTING" }, all)],
  ["merge_conflicts", "MERGE CONFLICTS", "#FF0000", "resolve-conflicts", withRequest({ mergeable: "CONFLICTING" })],
  ["merge_conflicts", "MERGE CONFLICTS", "#FF0000", "resolve-conflicts", withRequest({}, all)],
  [
    ...(["ci_failing", "CI FAILING", "#FF4444", "fix-ci"] as const),
    withRequest({ reviewDecision: "APPROVED" }, { checksStatus: "fail" }),
  ],
  [
    ...(["approved", "APPROVED", "#00FF00", "merge-pr"] as const),
    withRequest({ reviewDecision: "APPROVED" }, { checksStatus: "pending" }),
  ],
  [
    ...(["changes_requested", "CHANGES REQUESTED", "#FF4444", "address-feedback"] as const),
    withRequest({ reviewDecision: "CHANGES_REQUESTED" }),
  ],
  [
    ...(["review_requested", "REVIEW", "#FFAA00", "check-review"] as const),
    withRequest({ reviewDecision: "REVIEW_REQUIRED" }),
  ],
  ["open", "OPEN", "#00AAFF", "request-review", withRequest({}, { isDirty: true, isAhead: true })],
];

describe("repositoryStatus", () => {
  it.each(rows)("is %s, shown as %s in %s, with the action %s", (state, label, color, skill, facts) => {
    const found = repositoryStatus(facts);
    expect(found.status).toBe(state);
    expect(repositoryLabel(found.status)).toMatchObject({ label, color });
    expect(found.action.skill).toBe(skill);
  });

  it("has the figures of the pull request, or null without one", () => {
    const found = repositoryStatus(withRequest({}));
    expect(found).toMatchObject({ prNumber: 7, prUrl: pullRequest.url, prTitle: "A title", checksStatus: null });
    expect(repositoryLine(found)).toBe("reins > main > OPEN (PR #7) [Request Review →]");
    expect(repositoryStatus(quiet)).toMatchObject({ prNumber: null, prUrl: null, prTitle: null });
    expect(repositoryLine(repositoryStatus(quiet))).toBe("reins > main > LOCAL [Create PR →]");
  });

  it("says that a pull request needs a remote, and keeps the state and its action", () => {
    const found = repositoryStatus({ ...quiet, hasRemote: false });
    expect(found).toMatchObject({ status: "local_clean", action: { skill: "create-pr" }, missing: "remote" });
    expect(repositoryLine(found)).toBe("reins > main > LOCAL (no remote)");
    // A commit needs no remote.
    expect(repositoryStatus({ ...quiet, isDirty: true, hasRemote: false }).missing).toBeUndefined();
    expect(repositoryStatus(quiet).missing).toBeUndefined();
  });
});
