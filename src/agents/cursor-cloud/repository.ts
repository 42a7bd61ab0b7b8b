/** Addresses of repositories that the service can reach. */
import { gitRemote, publicAddress } from "../../workspace/remote.ts";
import type { AgentContext } from "../contract.ts";

/** Undefined when the folder was not cloned or git is not installed. */
export async function originOf({ processes, env }: AgentContext, cwd: string): Promise<string | undefined> {
  return (await gitRemote(processes, cwd, env))?.repository;
}

/** The repository in the address of a pull request, if it can be read from it. */
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
