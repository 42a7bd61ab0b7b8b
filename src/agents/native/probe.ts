/** Whether the agent can work: its packages are there, and a service of models is set up. Nobody is asked. */
import { toReinsError } from "../../events/errors.ts";
import type { AgentContext, Readiness } from "../contract.ts";
import { chooseModel, endpointsOf, setUpHelp } from "./endpoints.ts";
import { installedVersion, missingHelp, packagesFor } from "./packages.ts";
import type { PackageName } from "./packages.ts";

export async function probe(
  { env }: Pick<AgentContext, "env">,
  versionOf: (name: PackageName) => string | undefined = installedVersion,
): Promise<Readiness> {
  const version = versionOf("ai");
  const known = { installed: version !== undefined, version };
  try {
    const endpoints = endpointsOf(env);
    if (endpoints.length === 0)
      return { ...known, ready: false, signedIn: "no", help: missingHelp(["ai"], versionOf) ?? setUpHelp };
    const { endpoint, id, name } = chooseModel(undefined, env);
    const signedInHow = endpoints.map(({ label, variable }) => `${label} (${variable})`).join(", ");
    const models = [{ id: name, label: id, provider: endpoint.name, default: true, current: true }];
    const help = missingHelp(packagesFor(endpoint.dialect), versionOf);
    return { ...known, ready: help === undefined, signedIn: "yes", signedInHow, models, help };
  } catch (error) {
    const { message, help } = toReinsError(error);
    return { ...known, ready: false, signedIn: "unknown", help: `${message} ${help ?? ""}`.trim() };
  }
}
