/** A Reins for one command: that of the server that runs here, or one of its own. Neither is loaded for the other. */
import { existsSync } from "node:fs";
import type { Reins } from "../core/api.ts";
import { serverFilePath } from "../server/server-file-path.ts";

export interface OpenedReins extends AsyncDisposable {
  readonly reins: Reins;
  /** Removes, once a day, what the person has said is not to be kept. */
  tidy(): Promise<void>;
}

export interface OpenOptions {
  /** False: nothing is kept. */
  readonly keep?: boolean | undefined;
  /** False: a server could not do it, or not in the same way. */
  readonly server?: boolean | undefined;
}

export async function openReins({ keep = true, server = true }: OpenOptions = {}): Promise<OpenedReins> {
  const served = keep && server ? await serverReins(process.env) : undefined;
  // A server tidies up by itself.
  if (served !== undefined)
    return { reins: served, tidy: () => Promise.resolve(), [Symbol.asyncDispose]: () => served.close() };
  const { ownReins } = await import("./own-reins.ts");
  return ownReins({ keep });
}

/** Undefined where there is none, or it would not do just the same. */
export async function serverReins(env: Readonly<Record<string, string | undefined>>): Promise<Reins | undefined> {
  const { REINS_NO_SERVER: refused = "" } = env;
  if ((refused !== "" && refused !== "0") || !existsSync(serverFilePath(env))) return undefined;
  const { servedReins } = await import("./served-reins.ts");
  return servedReins(env);
}
