/** Connects to the running server, if it would do exactly what this command does itself. */
import { currentFolder } from "../../process/launch/current-folder.ts";
import { findServer } from "../../server/server-file.ts";
import { environmentFingerprint } from "../../server/environment-fingerprint.ts";
import { randomId } from "../../process/crypto.ts";
import type { Client } from "../../client/index.ts";
import type { Environment } from "../../core/config/config-files.ts";
import { ownVersion } from "../installation.ts";
import { EventSocket } from "./event-socket.ts";
import { httpFetch, isAnswering } from "./http.ts";

/** A server that takes longer to answer is too busy to help. */
const answerMs = 2_000;
/** How long a server that stops during a command has to come back. */
const patienceMs = 5_000;

/** Undefined when no server answers. */
export async function remoteReins(env: Environment): Promise<Client | undefined> {
  const found = await findServer(env);
  if (found === undefined || found.version !== ownVersion() || found.rooted === true) return undefined;
  const { url, token, surroundings } = found;
  const cwd = folder();
  if (cwd === undefined) return undefined;
  const answers = isAnswering(url, ownTimeout(answerMs));
  // Send the request before loading modules keeps this process busy.
  await new Promise((resolve) => setImmediate(resolve));
  if (surroundings !== environmentFingerprint(env, token)) return undefined;
  const { createClient } = await import("../../client/index.ts");
  if (!(await answers)) return undefined;
  const transport = { fetch: httpFetch, WebSocket: EventSocket, newId: randomId };
  return createClient({ url, token, cwd, patienceMs, keepWarm: true, ...transport });
}

/** Undefined when the current folder was removed. */
function folder(): string | undefined {
  try {
    return currentFolder();
  } catch {
    return undefined;
  }
}

const tickMs = 50;

/** Aborts after `ms` in which this process could have read an answer. A plain timer would fire first after a long module load. */
export function ownTimeout(ms: number): AbortSignal {
  const controller = new AbortController();
  let left = Math.ceil(ms / tickMs);
  // A late tick counts once, and data that arrived meanwhile is read before the next one.
  const timer = setInterval(() => {
    if (--left > 0) return;
    clearInterval(timer);
    controller.abort();
  }, tickMs).unref();
  return controller.signal;
}
