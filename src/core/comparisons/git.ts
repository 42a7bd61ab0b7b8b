/**
 * Runs git for worktrees in the user's repositories. A repository may come from anywhere and an agent may have
 * written to it, so nothing that its configuration names is run: no hooks, filters, fsmonitor or other programs, and
 * nothing is fetched.
 */
import { realpath } from "node:fs/promises";
import { ReinsError } from "../../events/errors.ts";
import { childEnvironment } from "../../process/index.ts";
import type { Output, Processes } from "../../process/types.ts";
import { noFilters, readFilters } from "../../workspace/git.ts";

/** Checking out a large repository takes time. */
const deadlineMs = 120_000;
const settings = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.quotePath=false",
  "protocol.allow=never",
  "submodule.recurse=false",
  "commit.gpgSign=false",
  "gc.auto=0",
  "maintenance.auto=false",
];
/**
 * Commands that read no file of the work tree, so no filter can run. Even `write-tree` may read a file when the index
 * is as new as that file.
 */
const harmless = new Set(["branch", "cat-file", "config", "rev-parse"]);
const quiet = ["--no-optional-locks", "--no-pager", ...settings.flatMap((setting) => ["-c", setting])];

export interface Place {
  readonly cwd: string;
  /** Always set: an agent may put another `.git` into the folder. */
  readonly gitDir?: string | undefined;
  /** Index file to use instead of the worktree's own. */
  readonly index?: string | undefined;
}

export class Git {
  readonly #processes: Processes;
  readonly #env: Readonly<Record<string, string>>;

  constructor(processes: Processes, env: Readonly<Record<string, string | undefined>>) {
    this.#processes = processes;
    this.#env = {
      ...childEnvironment(env, {}),
      LC_ALL: "C",
      GIT_NO_LAZY_FETCH: "1",
      GIT_TERMINAL_PROMPT: "0",
      GIT_LITERAL_PATHSPECS: "1",
    };
  }

  /** Also resolves when git fails. Throws when git is not installed. */
  async try(place: Place, ...args: string[]): Promise<Output> {
    if (harmless.has(args[0] ?? "")) return this.#run(place, args, {});
    const { stdout } = await this.#run(place, readFilters, {});
    return this.#run(place, args, noFilters(stdout));
  }

  /** Returns the output; throws when git fails. `what` begins the message. */
  async do(place: Place, what: string, ...args: string[]): Promise<string> {
    const output = await this.try(place, ...args);
    if (output.code === 0 && !output.truncated) return output.stdout;
    throw new ReinsError("invalid_input", `${what}: ${complaintOf(output)}.`);
  }

  #run(place: Place, args: readonly string[], more: Readonly<Record<string, string>>): Promise<Output> {
    const { cwd, gitDir, index } = place;
    const where = gitDir === undefined ? [] : [`--git-dir=${gitDir}`, `--work-tree=${cwd}`];
    const env = { ...this.#env, ...more, ...(index !== undefined && { GIT_INDEX_FILE: index }) };
    return this.#processes.run(
      { command: "git", args: [...quiet, ...where, ...args], cwd, env, agent: "git" },
      deadlineMs,
    );
  }
}

/** Git's own error message without a full stop. */
export function complaintOf({ stderr, timedOut, truncated }: Output): string {
  if (timedOut) return `git took longer than ${deadlineMs / 1000} s`;
  if (truncated) return "the output of git is too long";
  const lines = stderr.split("\n").map((line) => line.trim());
  const line = lines.find((one) => /^(fatal|error): /.test(one)) ?? lines.find((one) => one !== "") ?? "git failed";
  return line
    .replace(/^(fatal|error): /, "")
    .replace(/\.$/, "")
    .slice(0, 300);
}

export interface Repository {
  readonly top: string;
  /** Path from `top` to the folder: "" or with a trailing slash. */
  readonly prefix: string;
  /** The common git directory. */
  readonly common: string;
  readonly base: string;
  readonly uncommitted: number;
}

export async function repositoryAt(git: Git, folder: string): Promise<Repository> {
  const cwd = await realpath(folder).catch(() => folder);
  const facts = ["--show-toplevel", "--git-common-dir", "--show-prefix"];
  const found = await git.try({ cwd }, "rev-parse", "--path-format=absolute", ...facts);
  if (found.code !== 0) {
    const none = found.stderr.includes("not a git repository") || found.stderr.includes("must be run in a work tree");
    throw new ReinsError(
      "invalid_input",
      none ? `The folder ${folder} is not in a git repository.` : `Git cannot use ${folder}: ${complaintOf(found)}.`,
      none ? { help: "Each agent works in a git worktree of its own: run `git init` there, and commit." } : {},
    );
  }
  const [top = "", common = "", prefix = ""] = found.stdout.split("\n");
  const head = await git.try({ cwd }, "rev-parse", "--verify", "--quiet", "HEAD^{commit}");
  if (head.code !== 0)
    throw new ReinsError("invalid_input", `The repository ${top} has no commit yet.`, {
      help: "The agents start from the last commit: make one.",
    });
  const base = head.stdout.trim();
  if (prefix !== "" && (await git.try({ cwd }, "cat-file", "-e", `${base}:${prefix.slice(0, -1)}`)).code !== 0)
    throw new ReinsError("invalid_input", `The folder ${folder} is not part of the last commit.`, {
      help: "The agents start from the last commit: commit what they need.",
    });
  return { top, prefix, common, base, uncommitted: (await changedIn(git, top, "normal")).length };
}

export async function changedIn(git: Git, top: string, untracked: "normal" | "no"): Promise<readonly string[]> {
  const args = [
    "status",
    "--porcelain",
    "-z",
    "--no-renames",
    "--ignore-submodules=dirty",
    `--untracked-files=${untracked}`,
  ];
  const output = await git.try({ cwd: top }, ...args);
  if (output.code !== 0) throw new ReinsError("invalid_input", `Git cannot compare ${top}: ${complaintOf(output)}.`);
  return output.stdout
    .split("\0")
    .filter((line) => line !== "")
    .map((line) => line.slice(3));
}
