/** The opaque state: the agent and, during a run, that run and the last of its events that the reader has. */
import { cloudError, who } from "./program.ts";

export interface Place {
  readonly agentId: string;
  readonly runId?: string | undefined;
  /** The service's own id of an event. */
  readonly lastId?: string | undefined;
}

const run = "[\\w-]{1,200}";
const isRun = new RegExp(`^${run}$`);
const mostBytes = 300;
const format = new RegExp(`^${who.id}:1:(bc[-_][\\w-]{1,200})(?::(${run})(?::([\\w-]{1,${(mostBytes / 3) * 4}}))?)?$`);

/** Leaves out an id that does not fit; more of the run is then repeated when the session is resumed. */
export function encodeState({ agentId, runId, lastId }: Place): string {
  const parts = [who.id, "1", agentId];
  if (runId !== undefined && isRun.test(runId)) parts.push(runId, ...lastOf(lastId));
  return parts.join(":");
}

function lastOf(lastId = ""): string[] {
  const fits = lastId !== "" && lastId.isWellFormed() && Buffer.byteLength(lastId) <= mostBytes;
  return fits ? [Buffer.from(lastId).toString("base64url")] : [];
}

/** Throws `session_not_found` for anything this version did not write. */
export function decodeState(state: string): Place {
  const [, agentId, runId, last] = format.exec(state) ?? [];
  if (agentId !== undefined)
    return { agentId, runId, lastId: last === undefined ? undefined : Buffer.from(last, "base64url").toString("utf8") };
  const help = "Start a new session, or name one that runs there.";
  throw cloudError("session_not_found", `This state is not one of ${who.name}, or is damaged.`, help);
}
