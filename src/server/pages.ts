/** Pages of sessions. A cursor names the last session shown, so that changes in between do not shift pages. */
import type { Reins } from "../core/api.ts";
import type { SessionFilter, StoredSession } from "../core/log/types.ts";
import type { ReinsEvent } from "../events/types.ts";
import { HttpError } from "./http-error.ts";

export const mostHits = 500;

export interface Page {
  readonly sessions: readonly StoredSession[];
  readonly cursor?: string | undefined;
}

export interface PageOptions {
  readonly filter: Pick<SessionFilter, "cwd" | "agent">;
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly maySee: (session: StoredSession) => boolean;
}

export async function sessionPage({ sessions }: Reins, { filter, limit, cursor, maySee }: PageOptions): Promise<Page> {
  const page: StoredSession[] = [];
  for (let before = cursor === undefined ? undefined : placeOf(cursor); ;) {
    const found = await sessions.list({ ...filter, before, limit: limit + 1 });
    for (const session of found.slice(0, limit)) {
      if (!maySee(session)) continue;
      if (page.length === limit) return { sessions: page, cursor: written(page.at(-1)!) };
      page.push(session);
    }
    const last = found[limit - 1];
    if (found.length <= limit || last === undefined) return { sessions: page };
    if (page.length === limit) return { sessions: page, cursor: written(page.at(-1)!) };
    before = last;
  }
}

export function pageOf(
  found: readonly StoredSession[],
  { limit, cursor }: Omit<PageOptions, "filter" | "maySee">,
): Page {
  const after = cursor === undefined ? undefined : placeOf(cursor);
  const start = after === undefined ? 0 : found.findIndex(({ id }) => id === after.id) + 1;
  if (after !== undefined && start === 0) throw lost();
  const sessions = found.slice(start, start + limit);
  return { sessions, ...(start + limit < found.length && { cursor: written(sessions.at(-1)!) }) };
}

type Place = Pick<StoredSession, "id" | "updatedAt">;

function written({ updatedAt, id }: Place): string {
  return Buffer.from(`${updatedAt} ${id}`).toString("base64url");
}

function placeOf(cursor: string): Place {
  const [updatedAt = "", id] = Buffer.from(cursor, "base64url").toString().split(" ");
  if (id === undefined || Number.isNaN(Date.parse(updatedAt))) throw lost();
  return { updatedAt, id };
}

function lost(): HttpError {
  return new HttpError(400, "invalid_input", "This cursor is not valid.", { help: "Start again without a cursor." });
}

/** Groups a few events at a time, so that an export of a long session never holds all of it. */
export async function* batched(events: AsyncIterable<ReinsEvent>): AsyncGenerator<readonly ReinsEvent[]> {
  let batch: ReinsEvent[] = [];
  for await (const event of events) {
    batch.push(event);
    if (batch.length < 500) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}
