/** A Reins for one command: that of the server that runs here, or one of its own. Neither is loaded for the other. */
import { existsSync } from "node:fs";
import type { Reins } from "../core/api.ts";
import { serverFilePath } from "../server/server-file-path.ts";

type Environment = Readonly<Record<string, string | undefined>>;

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
  /** One that was looked for ahead of time. */
  readonly ahead?: ServerAhead | undefined;
}

/** Opens the server that was looked for; undefined where there is none, or it does not answer. */
export type ServerAhead = () => Promise<Reins | undefined>;

const noServer: ServerAhead = () => Promise.resolve(undefined);

export async function openReins({ keep = true, server = true, ahead }: OpenOptions = {}): Promise<OpenedReins> {
  const served = keep && server ? await serverReins(process.env, ahead) : undefined;
  // A server tidies up by itself.
  if (served !== undefined)
    return { reins: served, tidy: () => Promise.resolve(), [Symbol.asyncDispose]: () => served.close() };
  const { ownReins } = await import("./own-reins.ts");
  return ownReins({ keep });
}

/** Undefined where there is none, or it would not do just the same. */
export async function serverReins(env: Environment, ahead?: ServerAhead): Promise<Reins | undefined> {
  if (isRefused(env)) return undefined;
  const open = ahead ?? (await lookForServer(env));
  return open();
}

/** Takes a while to answer, in which other things can be done. */
export async function lookForServer(env: Environment): Promise<ServerAhead> {
  if (isRefused(env) || !existsSync(serverFilePath(env))) return noServer;
  const { findServed } = await import("./served-reins.ts");
  return (await findServed(env)) ?? noServer;
}

function isRefused({ REINS_NO_SERVER: refused = "" }: Environment): boolean {
  return refused !== "" && refused !== "0";
}
