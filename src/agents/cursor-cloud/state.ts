/** The opaque state: the agent, and while a run goes on also that run and the last of its events that was told. */
import { ReinsError } from "../../events/errors.ts";
import { who } from "./who.ts";

export interface Place {
  readonly agentId: string;
  readonly runId?: string | undefined;
  /** The service's own id of an event. */
  readonly lastId?: string | undefined;
}

const format = new RegExp(`^${who.id}:1:(bc[-_][\\w-]{1,200})(?::([\\w-]{1,200})(?::([\\w-]{1,400}))?)?$`);

export function encodeState({ agentId, runId, lastId }: Place): string {
  const last = lastId === undefined || lastId === "" ? undefined : Buffer.from(lastId).toString("base64url");
  return [who.id, "1", agentId, ...(runId === undefined ? [] : [runId, ...(last === undefined ? [] : [last])])].join(
    ":",
  );
}

/** Throws `session_not_found` for anything this version did not write. */
export function decodeState(state: string): Place {
  const [, agentId, runId, last] = format.exec(state) ?? [];
  if (agentId !== undefined)
    return { agentId, runId, lastId: last === undefined ? undefined : Buffer.from(last, "base64url").toString("utf8") };
  throw new ReinsError("session_not_found", `This state is not one of ${who.name}, or is damaged.`, {
    agent: who.id,
    help: "Start a new session, or name one that runs there.",
  });
}
