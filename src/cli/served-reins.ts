/** The server that runs here, where it would do just what this command does itself. */
import type { Reins } from "../core/api.ts";
import { currentFolder } from "../process/current-folder.ts";
import { findServer } from "../server/server-file.ts";
import { surroundingsOf } from "../server/surroundings.ts";
import { answered as asked, lightFetch } from "./light-fetch.ts";
import { randomId } from "../process/crypto.ts";
import { LightSocket } from "./light-socket.ts";
import { afterOwnTime } from "./own-time.ts";
import { ownVersion } from "./version.ts";

/** One that is busy beyond that is no help. */
const knockMs = 2_000;
/** One that stops in the middle of something has that long to come back. */
const patienceMs = 5_000;

type Environment = Readonly<Record<string, string | undefined>>;

export async function servedReins(env: Environment): Promise<Reins | undefined> {
  const found = await findServer(env);
  if (found === undefined || found.version !== ownVersion() || found.rooted === true) return undefined;
  const { url, token, surroundings } = found;
  const cwd = folder();
  if (cwd === undefined || surroundings !== surroundingsOf(env, token)) return undefined;
  const answered = answers(url);
  // Meanwhile.
  const { createClient } = await import("../client/index.ts");
  if (!(await answered)) return undefined;
  const light = { fetch: lightFetch, WebSocket: LightSocket, newId: randomId };
  return createClient({ url, token, cwd, patienceMs, keepWarm: true, ...light });
}

/** None where it was removed: much can be done all the same, but a server would not know from where. */
function folder(): string | undefined {
  try {
    return currentFolder();
  } catch {
    return undefined;
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const { statusCode } = (await asked(`${url}/health`, { signal: afterOwnTime(knockMs) })).resume();
    return statusCode === 200;
  } catch {
    return false;
  }
}
