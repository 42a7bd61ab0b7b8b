/** A Reins for one command: that of the server that runs here, or one of its own. Neither is loaded for the other. */
import type { Reins } from "../core/api.ts";

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
  const served = keep && server ? await serverReins() : undefined;
  // A server tidies up by itself.
  if (served !== undefined)
    return { reins: served, tidy: () => Promise.resolve(), [Symbol.asyncDispose]: () => served.close() };
  const { ownReins } = await import("./own-reins.ts");
  return ownReins({ keep });
}

async function serverReins(): Promise<Reins | undefined> {
  const { servedReins } = await import("./served-reins.ts");
  return servedReins(process.env);
}
