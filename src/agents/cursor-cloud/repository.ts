/** Addresses of repositories that the service can reach. */
import { gitRemote, publicAddress } from "../../workspace/remote.ts";
import type { AgentContext } from "../contract.ts";

/** Undefined where the folder was not cloned, or git is not installed. */
export async function originOf({ processes, env }: AgentContext, cwd: string): Promise<string | undefined> {
  return (await gitRemote(processes, cwd, env))?.repository;
}

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
