/** The branches that an agent pushed, and what was made of them. */
import type { CloudBranch } from "../shared/cloud.ts";

/** As they are told: without a scheme. */
export function branchesOf(
  branches: readonly { repoUrl?: string | undefined; branch?: string | undefined; prUrl?: string | undefined }[],
): CloudBranch[] {
  return branches.map(({ repoUrl, branch, prUrl }) => ({ repository: repoUrl, branch, pullRequest: prUrl }));
}

/** In one sentence; empty where it pushed nothing. */
export function branchWords(branches: readonly CloudBranch[]): string {
  const parts = branches.flatMap(({ repository, branch, pullRequest }) => {
    const where = repository === undefined ? "" : ` of ${repository}`;
    const pushed = branch === undefined ? [] : [`the branch ${branch}${where}`];
    return [...pushed, ...(pullRequest === undefined ? [] : [`the pull request ${pullRequest}`])];
  });
  return parts.length === 0 ? "" : `There is ${parts.join(", and ")}.`;
}
