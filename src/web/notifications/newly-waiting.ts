/** Which sessions begin to wait for somebody. Pure. */
import type { SessionSummary } from "../../server/schemas/sessions.ts";

type Waits = Pick<SessionSummary, "id" | "waiting">;

/** The requests that wait, each as one text. */
export function requestsOf(sessions: readonly Waits[]): ReadonlySet<string> {
  return new Set(sessions.flatMap(({ id, waiting }) => waiting.map((request) => `${id} ${request}`)));
}

/** Sessions with a request that was not there before. */
export function newlyWaiting<Session extends Waits>(
  before: ReadonlySet<string>,
  sessions: readonly Session[],
): readonly Session[] {
  return sessions.filter(({ id, waiting }) => waiting.some((request) => !before.has(`${id} ${request}`)));
}
