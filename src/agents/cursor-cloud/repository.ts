/** The repository of a folder, as others can reach it. */
import type { AgentContext } from "../contract.ts";
import { childEnvironment } from "../../process/index.ts";
import { who } from "./who.ts";

/** What the folder was cloned from; undefined where it was not, or git is not there. */
export async function originOf({ processes, env, deadlines }: AgentContext, cwd: string): Promise<string | undefined> {
  const args = ["-C", cwd, "config", "--get", "remote.origin.url"];
  const found = await processes
    .run({ command: "git", args, cwd, env: childEnvironment(env, {}), agent: who.id }, deadlines.probe)
    .catch(() => undefined);
  return found === undefined || found.code !== 0 ? undefined : publicAddress(found.stdout.trim());
}

/** As a web address without a name or a password in it; undefined for a folder or anything else that nobody else can reach. */
export function publicAddress(address: string): string | undefined {
  const [, host, path] = /^(?:[\w.-]+@)?([\w.-]+\.[a-z]+):(?!\/\/)(?!\d+\/)\/?(.+)$/i.exec(address) ?? [];
  if (host !== undefined && path !== undefined) return `https://${host}/${bare(path)}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^(?:https?|ssh|git):$/.test(url.protocol) || url.hostname === "") return undefined;
  // The port of another protocol means nothing to this one.
  const at = url.protocol === "https:" ? url.host : url.hostname;
  return `https://${at}/${bare(url.pathname.slice(1))}`;
}

/** The repository that a pull request belongs to; undefined where its address does not tell. */
export function repositoryOfRequest(pullRequest = ""): string | undefined {
  const [, repository] =
    /^(https?:\/\/.+?)(?:\/-)?\/(?:pull|pulls|merge_requests|pull-requests)\/\d+\b/.exec(pullRequest) ?? [];
  return repository === undefined ? undefined : publicAddress(repository);
}

const bare = (path: string): string => path.replace(/\/+$/, "").replace(/\.git$/, "");

/** Whether two addresses mean the same repository, with a scheme or without. */
export function isSameRepository(one: string, other: string): boolean {
  const plain = (address: string): string =>
    (publicAddress(address) ?? publicAddress(`https://${address}`) ?? address).toLowerCase();
  return plain(one) === plain(other);
}
