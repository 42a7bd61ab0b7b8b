/** What a client may manage of an agent, and where. */
import type { Management, Reins } from "../core/api.ts";
import { requireAgent } from "./access/options-allowed.ts";
import type { Principal } from "./access/principal.ts";
import { requireInside } from "./access/roots.ts";

type Folder = { readonly cwd?: string | undefined };

export function managing(reins: Reins) {
  const manage = (principal: Principal, id: string): Promise<Management> => {
    requireAgent(principal, id);
    return reins.manage(id);
  };
  const at = (principal: Principal, { cwd }: Folder): Folder => {
    if (cwd !== undefined) requireInside(principal, cwd, "folder");
    return { cwd };
  };
  return { manage, at };
}
