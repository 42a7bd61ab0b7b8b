/** Opens a Reins for one command: that of the server that runs here, or one of this process. Neither is loaded for the other. */
import { existsSync } from "node:fs";
import type { Client } from "../../client/index.ts";
import type { Reins } from "../../core/api.ts";
import type { Environment } from "../../core/config/config-files.ts";
import { serverFilePath } from "../../server/server-file.ts";

export interface OpenedReins extends AsyncDisposable {
  readonly reins: Reins;
  /** A server holds the sessions: they go on after this process. */
  readonly served: boolean;
  /** Removes, once a day, what the user has configured not to keep. A server does that itself. */
  cleanUp(): Promise<void>;
  /** Ends the use of it instead of disposing of it: turns that run in a server go on. */
  leave(): Promise<void>;
}

export interface OpenOptions {
  readonly keep?: boolean | undefined;
  /** False: a server could not do it, or not in the same way. */
  readonly server?: boolean | undefined;
}

export async function openReins({ keep = true, server = true }: OpenOptions = {}): Promise<OpenedReins> {
  const served = keep && server ? await serverReins(process.env) : undefined;
  if (served !== undefined)
    return {
      reins: served,
      served: true,
      cleanUp: () => Promise.resolve(),
      leave: () => served.leave(),
      [Symbol.asyncDispose]: () => served.close(),
    };
  const { localReins } = await import("./local.ts");
  return localReins({ keep });
}

/** Undefined where no server answers, or it would not do exactly the same. */
export async function serverReins(env: Environment): Promise<Client | undefined> {
  const { REINS_NO_SERVER: refused = "" } = env;
  if ((refused !== "" && refused !== "0") || !existsSync(serverFilePath(env))) return undefined;
  const { remoteReins } = await import("./remote.ts");
  return remoteReins(env);
}
