/** The sessions an agent keeps, page by page. */
import { record, records, text } from "./read.ts";
import type { Wire } from "./read.ts";
import type { AcpListed } from "./types.ts";

/** An agent whose pages never end is not followed for ever. */
const mostPages = 50;

export async function listSessions(ask: (params: Wire) => Promise<unknown>, cwd: string): Promise<AcpListed[]> {
  const listed: AcpListed[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const answer = record(await ask(cursor === undefined ? { cwd } : { cwd, cursor }));
    listed.push(...records(answer["sessions"]).flatMap(sessionOf));
    cursor = text(answer["nextCursor"]);
    if (cursor === undefined) break;
  }
  return listed;
}

function sessionOf(session: Wire): AcpListed[] {
  const sessionId = text(session["sessionId"]);
  if (sessionId === undefined) return [];
  const { cwd, title, updatedAt } = session;
  return [{ sessionId, cwd: text(cwd), title: text(title), updatedAt: text(updatedAt) }];
}
