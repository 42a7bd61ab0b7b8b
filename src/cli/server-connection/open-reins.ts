/** Opens a Reins for one command: a client of the running server, or one in this process. Only the one that is used is loaded. */
import { existsSync } from "node:fs";
import type { Client } from "../../client/index.ts";
import type { Reins } from "../../core/api.ts";
import type { Environment } from "../../core/config/config-files.ts";
import { serverFilePath } from "../../server/server-file.ts";

export interface OpenedReins extends AsyncDisposable {
  readonly reins: Reins;
  /** True when a server holds the sessions: they continue after this process. */
  readonly served: boolean;
  /** Deletes, once a day, the data that the user has configured not to keep. A server does that itself. */
  cleanUp(): Promise<void>;
  /** Releases it without disposing: turns that run in a server continue. */
  leave(): Promise<void>;
}

export interface OpenOptions {
  readonly keep?: boolean | undefined;
  /** False when a server could not do the work, or not in the same way. */
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

/** Undefined when no server answers, or when its results could differ. */
export async function serverReins(env: Environment): Promise<Client | undefined> {
  const { REINS_NO_SERVER: refused = "" } = env;
  if ((refused !== "" && refused !== "0") || !existsSync(serverFilePath(env))) return undefined;
  const { remoteReins } = await import("./remote.ts");
  return remoteReins(env);
}
