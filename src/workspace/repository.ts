/** Asks git, and GitHub's `gh` where it is installed, about the repository of a folder. */
import { basename } from "node:path";
import { childEnvironment } from "../process/index.ts";
import type { Processes } from "../process/types.ts";
import { openGit } from "./git.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const ghFields = "number,url,title,state,isDraft,mergeable,reviewDecision,statusCheckRollup";
const ghVariables = [
  ...["GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"],
  ...["GH_HOST", "GH_CONFIG_DIR", "GH_REPO"],
];
/** `gh` must neither ask anything nor start a pager. */
const ghSettings = { GH_PROMPT_DISABLED: "1", GH_NO_UPDATE_NOTIFIER: "1", GH_PAGER: "", NO_COLOR: "1" };

const statusArguments = ["--porcelain=v2", "-z", "--branch", "--no-renames", "--ignore-submodules=dirty"];

/** Undefined where the folder has no work tree of git, or git is missing or too slow. */
export async function gitFacts(processes: Processes, cwd: string, env: Environment) {
  try {
    const git = openGit(processes, cwd, env);
    const status = (...paths: string[]) => git.compare("status", ...statusArguments, ...paths);
    const [listed, top, remote] = await Promise.all([
      status(),
      git("rev-parse", "--show-toplevel"),
      git("config", "--get-regexp", String.raw`^remote\..*\.url$`),
    ]);
    // With thousands of changes the list is longer than what is kept: then the branch is asked for without them.
    const found = listed ?? (await status("--", ":(top,exclude)*"));
    if (found?.code !== 0 || top?.code !== 0) return undefined;
    const entries = found.stdout.split("\0").filter((entry) => entry !== "");
    const header = (name: string): string | undefined =>
      entries.find((entry) => entry.startsWith(`# branch.${name} `))?.slice(`# branch.${name} `.length);
    const changes = entries.filter((entry) => !entry.startsWith("#"));
    const url = remote?.stdout.split("\n", 1)[0]?.replace(/^\S+ /, "") ?? "";
    const commit = header("oid") ?? "(initial)";
    const [ahead, behind] = header("ab")?.split(" ") ?? [];
    const head = header("head") ?? "";
    return {
      repoName: nameIn(url) ?? basename(top.stdout.trim()),
      branch: head === "(detached)" ? `detached at ${commit.slice(0, 7)}` : head,
      isDirty: listed === undefined || changes.length > 0,
      isAhead: ahead === undefined ? url !== "" && commit !== "(initial)" && (await hasUnpushed(git)) : ahead !== "+0",
      isBehind: behind !== undefined && behind !== "-0",
      hasConflicts: changes.some((entry) => entry.startsWith("u ")),
      hasRemote: url !== "",
    };
  } catch {
    return undefined;
  }
}

/** Whether a branch without an upstream has commits that no remote has. */
async function hasUnpushed(git: ReturnType<typeof openGit>): Promise<boolean> {
  const counted = await git("rev-list", "--max-count=1", "HEAD", "--not", "--remotes");
  return counted?.code === 0 && counted.stdout.trim() !== "";
}

/** `reins` of `git@example.com:team/reins.git`. */
function nameIn(url: string): string | undefined {
  return /([^/:\\]+?)(?:\.git)?\/*$/.exec(url)?.[1];
}

/** What `gh` prints about the pull request of the current branch. Undefined where there is none, or `gh` is missing, signed out, too slow or prints no JSON. */
export async function pullRequestJson(
  processes: Processes,
  cwd: string,
  env: Environment,
  deadlineMs: number,
): Promise<unknown> {
  try {
    const spec = { command: "gh", args: ["pr", "view", "--json", ghFields], cwd, agent: "gh" };
    const ghEnv = childEnvironment(env, { names: ghVariables, set: ghSettings });
    const output = await processes.run({ ...spec, env: ghEnv }, deadlineMs);
    if (output.code !== 0 || output.timedOut || output.truncated) return undefined;
    return JSON.parse(output.stdout);
  } catch {
    return undefined;
  }
}
