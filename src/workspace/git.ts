/**
 * Runs git in a folder without letting the folder run programs. The configuration of a folder, which may come from anywhere, can name
 * programs: a file system monitor, filters for files that are compared, fetches of missing objects. Reins takes no optional locks either,
 * so that it never blocks a git command of the user or the agent.
 */
import { childEnvironment } from "../process/index.ts";
import type { LaunchSpec, Output, Processes } from "../process/types.ts";

const deadlineMs = 10_000;
const quiet = ["--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "protocol.allow=never"];
/** Lists the configured filters. */
export const readFilters = [
  "config",
  "-z",
  "--name-only",
  "--get-regexp",
  "^filter\\..*\\.(clean|smudge|process|required)$",
];

/** Throws if git is not installed. Returns undefined if the output was too long, or if git was too slow, now or before. */
export interface Git {
  (...args: string[]): Promise<Output | undefined>;
  /** Runs a command that compares files, with all filters turned off. */
  compare(...args: string[]): Promise<Output | undefined>;
}

/** The command line and environment of git. */
export function gitCommand(
  cwd: string,
  parentEnv: Readonly<Record<string, string | undefined>>,
  args: readonly string[],
): Omit<LaunchSpec, "stdin"> {
  const env = { ...childEnvironment(parentEnv, {}), GIT_NO_LAZY_FETCH: "1" };
  return { command: "git", args: [...quiet, ...args], cwd, env, agent: "git" };
}

export function openGit(
  processes: Processes,
  cwd: string,
  parentEnv: Readonly<Record<string, string | undefined>>,
): Git {
  let tooSlow = false;
  const run = async (args: readonly string[], more: Readonly<Record<string, string>> = {}) => {
    // A tool waits for the result, so do not try again at every turn in a folder that is too large for git.
    if (tooSlow) return undefined;
    const command = gitCommand(cwd, parentEnv, args);
    const output = await processes.run({ ...command, env: { ...command.env, ...more } }, deadlineMs);
    tooSlow ||= output.timedOut;
    return output.timedOut || output.truncated ? undefined : output;
  };
  const compare = async (...args: string[]) => {
    const named = await run(readFilters);
    return named && run(args, noFilters(named.stdout));
  };
  return Object.assign((...args: string[]) => run(args), { compare });
}

/** Returns the variables that turn the filters off. Variables, because the name of a filter may contain any character. */
export function noFilters(read: string): Record<string, string> {
  const names = new Set(read.split("\0").filter((name) => name !== ""));
  const settings = [...names].map((name) => [name, name.endsWith(".required") ? "false" : ""] as const);
  return Object.fromEntries([
    ["GIT_CONFIG_COUNT", String(settings.length)],
    ...settings.flatMap(([name, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, name],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ]);
}
