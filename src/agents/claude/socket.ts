/** The socket where the program listens for other programs; killed, it leaves it behind. */
import { lstat, rm } from "node:fs/promises";

/** The path is the agent's word, so nothing but a socket is removed. */
export async function removeSocket(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isSocket() === true) await rm(path, { force: true }).catch(() => {});
}
