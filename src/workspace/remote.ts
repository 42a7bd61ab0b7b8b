/** The remote of a folder's repository, and whether its current branch is pushed. */
import type { Processes } from "../process/types.ts";
import { openGit } from "./git.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface GitRemote {
  /** The top folder of the work tree. */
  readonly top: string;
  /** The URL of the remote `origin`, else of the first remote that others can reach; undefined if there is none. */
  readonly repository: string | undefined;
  /** The current branch; undefined while HEAD is detached. */
  readonly branch: string | undefined;
  /** The remote has the current branch, as far as this clone knows. */
  readonly isPushed: boolean;
}

/** Returns undefined if the folder has no git work tree, or if git is missing or too slow. */
export async function gitRemote(processes: Processes, cwd: string, env: Environment): Promise<GitRemote | undefined> {
  try {
    const git = openGit(processes, cwd, env);
    const [top, remotes, head] = await Promise.all([
      git("rev-parse", "--show-toplevel"),
      git("config", "-z", "--get-regexp", String.raw`^remote\..*\.url$`),
      git("symbolic-ref", "--quiet", "--short", "HEAD"),
    ]);
    if (top?.code !== 0) return undefined;
    const remote = reachable(remotes?.code === 0 ? remotes.stdout : "");
    const branch = head?.code === 0 ? head.stdout.trim() || undefined : undefined;
    const seen =
      remote === undefined || branch === undefined
        ? undefined
        : await git("rev-parse", "--quiet", "--verify", `refs/remotes/${remote.name}/${branch}`);
    return {
      top: top.stdout.replace(/\r?\n$/, ""),
      repository: remote?.address,
      branch,
      isPushed: seen?.code === 0,
    };
  } catch {
    return undefined;
  }
}

/** `listed` has entries of the form `remote.<name>.url\n<address>\0`. */
function reachable(listed: string): { readonly name: string; readonly address: string } | undefined {
  const found = listed.split("\0").flatMap((entry) => {
    const [key = "", url = ""] = entry.split("\n", 2);
    const address = publicAddress(url.trim());
    return address === undefined ? [] : [{ name: key.slice("remote.".length, -".url".length), address }];
  });
  return found.find(({ name }) => name === "origin") ?? found[0];
}

/** Returns an https URL without user or password; undefined for a folder or another address that others cannot reach. */
export function publicAddress(address: string): string | undefined {
  const [, host, path] = /^(?:[\w.-]+@)?([\w.-]+\.[a-z]+):(?!\/\/)(?!\d+\/)\/?(.+)$/i.exec(address) ?? [];
  if (host !== undefined && path !== undefined) return `https://${host}/${bare(path)}`;
  const url = URL.parse(address);
  if (url === null || !/^(?:https?|ssh|git):$/.test(url.protocol) || url.hostname === "") return undefined;
  // The port of another protocol is wrong for https.
  const at = url.protocol === "https:" ? url.host : url.hostname;
  return `https://${at}/${bare(url.pathname.slice(1))}`;
}

const bare = (path: string): string => path.replace(/\/+$/, "").replace(/\.git$/, "");
