/** The list of sessions in pages: a cursor is the place of the last one shown, so what is used meanwhile moves nothing. */
import type { Reins } from "../core/api.ts";
import type { SessionFilter, StoredSession } from "../core/log/types.ts";
import { HttpError } from "./http-error.ts";

/** Of a search: more is not looked through. */
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

/** The same of sessions that were found otherwise. */
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
  return new HttpError(400, "invalid_input", "This cursor leads nowhere.", { help: "Begin again without one." });
}
