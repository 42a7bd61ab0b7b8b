/** The status of a folder's repository, from git and GitHub's `gh`. */
import type { Deadlines } from "../../events/deadlines.ts";
import type { Processes } from "../../process/types.ts";
import { isRecord, record, text } from "../../protocols/json.ts";
import { repositoryStatus, type ChecksStatus, type PullRequest, type RepositoryStatus } from "../../view/repository.ts";
import { gitFacts, pullRequestJson } from "../../workspace/repository.ts";

export async function repositoryOf(
  processes: Processes,
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
  deadlines: Deadlines,
): Promise<RepositoryStatus | undefined> {
  const facts = await gitFacts(processes, cwd, env);
  if (facts === undefined) return undefined;
  const answer = facts.hasRemote ? await pullRequestJson(processes, cwd, env, deadlines.probe) : undefined;
  const pullRequest = pullRequestIn(answer);
  const checksStatus = pullRequest === undefined ? null : checksIn(record(answer)["statusCheckRollup"]);
  return repositoryStatus({ ...facts, pullRequest, checksStatus });
}

export function pullRequestIn(answer: unknown): PullRequest | undefined {
  if (!isRecord(answer) || !isNumber(answer["number"])) return undefined;
  const word = (name: string): string => text(answer[name]) ?? "";
  const state = word("state");
  return {
    number: answer["number"],
    url: word("url"),
    title: word("title"),
    state: state === "MERGED" || state === "CLOSED" ? state : "OPEN",
    isDraft: answer["isDraft"] === true,
    mergeable: word("mergeable"),
    reviewDecision: word("reviewDecision"),
  };
}

/** Validated because it goes into commands. */
const isNumber = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

const passed = new Set(["SUCCESS", "NEUTRAL", "SKIPPED"]);
const failed = new Set(["FAILURE", "ERROR", "CANCELLED", "TIMED_OUT", "ACTION_REQUIRED", "STARTUP_FAILURE"]);

/** A finished check has a `conclusion`, a commit status has a `state`. Everything else is pending. */
const resultOf = (check: unknown): string => text(record(check)["conclusion"]) || text(record(check)["state"]) || "";

export const isFailed = (check: unknown): boolean => failed.has(resultOf(check));

export function checksIn(rollup: unknown): ChecksStatus {
  if (!Array.isArray(rollup) || rollup.length === 0) return null;
  if (rollup.some(isFailed)) return "fail";
  return rollup.every((check) => passed.has(resultOf(check))) ? "pass" : "pending";
}
