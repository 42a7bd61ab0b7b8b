/** The server that runs here, where it would do just what this command does itself. */
import { currentFolder } from "../process/current-folder.ts";
import { findServer } from "../server/server-file.ts";
import { surroundingsOf } from "../server/surroundings.ts";
import { randomId } from "../process/crypto.ts";
import { knock } from "./knock.ts";
import { lightFetch } from "./light-fetch.ts";
import { LightSocket } from "./light-socket.ts";
import { afterOwnTime } from "./own-time.ts";
import type { ServerAhead } from "./opened-reins.ts";
import { ownVersion } from "./version.ts";

/** One that is busy beyond that is no help. */
const knockMs = 2_000;
/** Whoever answered may be gone after that: a prompt that is typed or piped in takes its time. */
const answerMs = 1_000;
/** One that stops in the middle of something has that long to come back. */
const patienceMs = 5_000;

type Environment = Readonly<Record<string, string | undefined>>;

/** Undefined where there is none. Whether it answers is seen when it is opened; it is asked now. */
export async function findServed(env: Environment): Promise<ServerAhead | undefined> {
  const found = await findServer(env);
  if (found === undefined || found.version !== ownVersion() || found.rooted === true) return undefined;
  const { url, token, surroundings } = found;
  const cwd = folder();
  if (cwd === undefined) return undefined;
  const askedAt = performance.now();
  const answers = knock(url, afterOwnTime(knockMs));
  // It is on its way before what comes next keeps this process busy.
  await new Promise((resolve) => setImmediate(resolve));
  if (surroundings !== surroundingsOf(env, token)) return undefined;
  return async () => {
    if (performance.now() - askedAt > answerMs) return (await findServed(env))?.();
    const { createClient } = await import("../client/index.ts");
    if (!(await answers)) return undefined;
    const light = { fetch: lightFetch, WebSocket: LightSocket, newId: randomId };
    return createClient({ url, token, cwd, patienceMs, keepWarm: true, ...light });
  };
}

/** None where it was removed: much can be done all the same, but a server would not know from where. */
function folder(): string | undefined {
  try {
    return currentFolder();
  } catch {
    return undefined;
  }
}
