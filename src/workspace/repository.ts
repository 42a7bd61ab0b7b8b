/** Asks git, and GitHub's `gh` if it is installed, about the repository of a folder. */
import { basename } from "node:path";
import { ReinsError, toReinsError } from "../events/errors.ts";
import { oneLine } from "../events/printable.ts";
import { childEnvironment } from "../process/index.ts";
import type { Output, Processes } from "../process/types.ts";
import { openGit } from "./git.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const ghFields = "number,url,title,state,isDraft,mergeable,reviewDecision,statusCheckRollup";
const ghVariables = [
  ...["GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"],
  // The D-Bus address leads to the keyring of the desktop, where `gh` keeps its token.
  ...["GH_HOST", "GH_CONFIG_DIR", "GH_REPO", "DBUS_SESSION_BUS_ADDRESS"],
];
/** Prevents `gh` from prompting and from starting a pager. */
const ghSettings = { GH_PROMPT_DISABLED: "1", GH_NO_UPDATE_NOTIFIER: "1", GH_PAGER: "", NO_COLOR: "1" };

/** Further variables for a command that a person has confirmed: it may access the remote as the person does. */
const gitVariables = [
  ...["SSH_AUTH_SOCK", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_ASKPASS", "SSH_ASKPASS", "DISPLAY", "WAYLAND_DISPLAY"],
  ...["GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM"],
];

const statusArguments = ["--porcelain=v2", "-z", "--branch", "--no-renames", "--ignore-submodules=dirty"];

/** Returns undefined if the folder has no git work tree, or if git is missing or too slow. */
export async function gitFacts(processes: Processes, cwd: string, env: Environment) {
  try {
    const git = openGit(processes, cwd, env);
    const status = (...paths: string[]) => git.compare("status", ...statusArguments, ...paths);
    const [listed, top, remote] = await Promise.all([
      status(),
      git("rev-parse", "--show-toplevel"),
      git("config", "--get-regexp", String.raw`^remote\..*\.url$`),
    ]);
    // With thousands of changes the list is too long; then ask for the branch alone.
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
      top: top.stdout.replace(/\r?\n$/, ""),
      isDetached: head === "(detached)",
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

/** True if a branch without an upstream has commits that no remote has. */
async function hasUnpushed(git: ReturnType<typeof openGit>): Promise<boolean> {
  const counted = await git("rev-list", "--max-count=1", "HEAD", "--not", "--remotes");
  return counted?.code === 0 && counted.stdout.trim() !== "";
}

/** Extracts `reins` from `git@example.com:team/reins.git`. */
function nameIn(url: string): string | undefined {
  return /([^/:\\]+?)(?:\.git)?\/*$/.exec(url)?.[1];
}

/**
 * Returns the output of `gh` about the pull request of the current branch. Undefined if there is no pull request, or if `gh` is missing,
 * signed out, too slow or prints no JSON.
 */
export async function pullRequestJson(
  processes: Processes,
  cwd: string,
  env: Environment,
  deadlineMs: number,
): Promise<unknown> {
  try {
    return await askGh(processes, cwd, env, deadlineMs)("pr", "view", "--json", ghFields);
  } catch {
    return undefined;
  }
}

/** The fields of a pull request that a prompt may need, for one call. */
export const ghDetails: string = `${ghFields},author,baseRefName,comments,reviews,reviewRequests`;

export interface AskGh {
  /** Returns the JSON that `gh` prints; undefined if there is no pull request. Throws a sentence that explains a failure. */
  (...args: string[]): Promise<unknown>;
  /** Returns the text that `gh` prints. */
  text(...args: string[]): Promise<string>;
}

/** Runs read-only commands of `gh`. */
export function askGh(processes: Processes, cwd: string, env: Environment, deadlineMs: number): AskGh {
  const ghEnv = childEnvironment(env, { names: ghVariables, set: ghSettings });
  const run = async (args: readonly string[]): Promise<Output> => {
    const output = await processes.run({ command: "gh", args, cwd, agent: "gh", env: ghEnv }, deadlineMs).catch(noGh);
    if (output.timedOut) throw new ReinsError("timeout", `\`gh\` did not answer within ${deadlineMs / 1000} seconds.`);
    return output;
  };
  const json = async (...args: string[]): Promise<unknown> => {
    const { code, stdout, stderr, truncated } = await run(args);
    if (code !== 0 && /no (?:open )?pull requests? found/i.test(stderr)) return undefined;
    if (code !== 0) throw ghFailure(stderr, code);
    try {
      if (!truncated) return JSON.parse(stdout);
    } catch {
      // The error below reports it.
    }
    throw new ReinsError("agent_error", "`gh` did not print the JSON that Reins asked for.");
  };
  return Object.assign(json, {
    text: async (...args: string[]) => {
      const { code, stdout, stderr } = await run(args);
      if (code !== 0) throw ghFailure(stderr, code);
      return stdout;
    },
  });
}

/** `gh` exits with code 4 when it needs a sign-in. */
function ghFailure(stderr: string, code: number | null): ReinsError {
  if (code === 4 || /gh auth login/.test(stderr))
    return new ReinsError("not_authenticated", "`gh` is not signed in.", { help: "Run `gh auth login`." });
  const words = oneLine(stderr).slice(0, 300);
  return new ReinsError("agent_error", words === "" ? "`gh` failed and did not say why." : `\`gh\` failed: ${words}`);
}

function noGh(thrown: unknown): never {
  const error = toReinsError(thrown);
  if (error.code !== "not_installed") throw error;
  throw new ReinsError("not_installed", "GitHub's `gh` is not installed, or not in the PATH.", {
    help: "Install it from https://cli.github.com and run `gh auth login`.",
  });
}

/** Runs a git or `gh` command that a person has confirmed, with the person's access to the remote. */
export function runConfirmed(
  processes: Processes,
  [command = "", ...args]: readonly string[],
  at: { readonly cwd: string; readonly env: Environment; readonly deadlineMs: number },
): Promise<Output> {
  const names = [...ghVariables, ...gitVariables];
  const env = childEnvironment(at.env, { names, set: { ...ghSettings, GIT_TERMINAL_PROMPT: "0", GIT_PAGER: "cat" } });
  const run = processes.run({ command, args, cwd: at.cwd, env, agent: command }, at.deadlineMs);
  return command === "gh" ? run.catch(noGh) : run;
}

/** Finds the default branch, and the other worktree that has it checked out. */
export async function defaultBranchOf(processes: Processes, top: string, env: Environment) {
  const git = openGit(processes, top, env);
  const head = await git("symbolic-ref", "--quiet", "refs/remotes/origin/HEAD");
  const prefix = "refs/remotes/origin/";
  const named = head?.code === 0 ? head.stdout.trim() : "";
  const defaultBranch = named.startsWith(prefix) ? named.slice(prefix.length) : await usualBranch(git);
  const listed = defaultBranch && (await git("worktree", "list", "--porcelain"));
  const trees = (listed && listed.code === 0 ? listed.stdout : "").split("\n\n").map((tree) => tree.split("\n"));
  const holder = trees.find((lines) => lines.includes(`branch refs/heads/${defaultBranch}`));
  const at = holder?.find((line) => line.startsWith("worktree "))?.slice("worktree ".length);
  return { defaultBranch, defaultBranchAt: at === top ? undefined : at };
}

async function usualBranch(git: ReturnType<typeof openGit>): Promise<string | undefined> {
  for (const name of ["main", "master"])
    for (const ref of [`refs/heads/${name}`, `refs/remotes/origin/${name}`])
      if ((await git("rev-parse", "--verify", "--quiet", ref))?.code === 0) return name;
  return undefined;
}
