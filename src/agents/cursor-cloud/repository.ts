/** Addresses of repositories that the service can reach. */
import { childEnvironment } from "../../process/index.ts";
import type { AgentContext } from "../contract.ts";
import { who } from "./program.ts";

/** Undefined where the folder was not cloned, or git is not installed. */
export async function originOf({ processes, env, deadlines }: AgentContext, cwd: string): Promise<string | undefined> {
  const args = ["-C", cwd, "config", "--get", "remote.origin.url"];
  const found = await processes
    .run({ command: "git", args, cwd, env: childEnvironment(env, {}), agent: who.id }, deadlines.probe)
    .catch(() => undefined);
  return found === undefined || found.code !== 0 ? undefined : publicAddress(found.stdout.trim());
}

/** An https address without user or password; undefined for a folder or anything else that others cannot reach. */
export function publicAddress(address: string): string | undefined {
  const [, host, path] = /^(?:[\w.-]+@)?([\w.-]+\.[a-z]+):(?!\/\/)(?!\d+\/)\/?(.+)$/i.exec(address) ?? [];
  if (host !== undefined && path !== undefined) return `https://${host}/${bare(path)}`;
  const url = URL.parse(address);
  if (url === null || !/^(?:https?|ssh|git):$/.test(url.protocol) || url.hostname === "") return undefined;
  // The port of another protocol means nothing to https.
  const at = url.protocol === "https:" ? url.host : url.hostname;
  return `https://${at}/${bare(url.pathname.slice(1))}`;
}

const bare = (path: string): string => path.replace(/\/+$/, "").replace(/\.git$/, "");

/** The repository of a pull request, as far as its address tells. */
export function repositoryOfRequest(pullRequest = ""): string | undefined {
  const [, repository] =
    /^(https?:\/\/.+?)(?:\/-)?\/(?:pull|pulls|merge_requests|pull-requests)\/\d+\b/.exec(pullRequest) ?? [];
  return repository === undefined ? undefined : publicAddress(repository);
}

export function isSameRepository(one: string, other: string): boolean {
  const plain = (address: string): string =>
    (publicAddress(address) ?? publicAddress(`https://${address}`) ?? address).toLowerCase();
  return plain(one) === plain(other);
}
