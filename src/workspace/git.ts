/**
 * Asking git about a folder without letting the folder run anything. Its configuration may name programs, and a folder comes from
 * anywhere: a file system monitor, filters that files pass through when they are compared, fetches of what is missing. Locks are
 * left alone too: looking must never get in the way of a git command of the person or the agent.
 */
import { childEnvironment } from "../process/index.ts";
import type { LaunchSpec, Output, Processes } from "../process/types.ts";

const deadlineMs = 10_000;
const quiet = ["--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "protocol.allow=never"];
/** What tells which filters there are. */
export const readFilters = [
  "config",
  "-z",
  "--name-only",
  "--get-regexp",
  "^filter\\..*\\.(clean|smudge|process|required)$",
];

/** Each throws where git is not there. Undefined: it said more than is kept, or it was too slow, now or once before. */
export interface Git {
  (...args: string[]): Promise<Output | undefined>;
  /** A command that compares files: they pass through no filter. */
  compare(...args: string[]): Promise<Output | undefined>;
}

/** How git is started. */
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
    // A tool waits for it, so a folder that is too large for git is not tried again at every turn.
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

/** The variables that turn them off: a name may contain anything. */
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
