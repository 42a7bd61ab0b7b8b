/** What OpenCode keeps of its conversations: rows of its database. Nothing but the rows of conversations is read. */
import { isRecord, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { AgentHistory, PastEvent, PastSession } from "../contract.ts";
import { openDatabase } from "./history-database.ts";
import { OpenCodePast, timeOf } from "./history-events.ts";
import { encodeState } from "./state.ts";

/** Those of subagents have a parent; what they came to is in the parent's. */
const sessions = `select id, directory, title, version, model, time_created, time_updated,
  (select count(*) from message where session_id = session.id) as messages
  from session where parent_id is null and (?1 is null or directory = ?1) order by time_updated desc`;
const messages = "select id, time_created, data from message where session_id = ? order by time_created, id";
const parts = "select id, data from part where message_id = ? order by id";

export function history(path: string): AgentHistory {
  return {
    async *list({ cwd } = {}) {
      // All at once: nothing of the database is held while somebody thinks about one of them.
      for (const session of rowsOf(path, sessions, cwd ?? null)) {
        const past = pastSession(session, path);
        if (past !== undefined && past.messages > 0) yield past;
      }
    },
    read: (session) => read(session),
  };
}

function rowsOf(path: string, query: string, value: string | null): Wire[] {
  try {
    using database = openDatabase(path);
    return database?.rows.prepare(query).all(value) ?? [];
  } catch {
    // Another version's, or damaged.
    return [];
  }
}

function pastSession(row: Wire, place: string): PastSession | undefined {
  const [id, cwd] = [text(row["id"]), text(row["directory"])];
  const [createdAt, updatedAt] = [timeOf(row["time_created"]), timeOf(row["time_updated"])];
  if (id === undefined || cwd === undefined || createdAt === undefined || updatedAt === undefined) return undefined;
  const { providerID, id: model } = parsed(row["model"]) ?? {};
  return {
    id,
    state: encodeState(id),
    cwd,
    title: text(row["title"]),
    createdAt,
    updatedAt,
    messages: Number(row["messages"]),
    model: text(model) === undefined ? undefined : [text(providerID), model].filter(Boolean).join("/"),
    agentVersion: text(row["version"]),
    place,
  };
}

async function* read({ id, cwd, place }: PastSession): AsyncGenerator<readonly PastEvent[]> {
  using database = openDatabase(place);
  if (database === undefined) return;
  const past = new OpenCodePast(id, cwd);
  const partsOf = database.rows.prepare(parts);
  let broken = 0;
  for (const row of database.rows.prepare(messages).iterate(id)) {
    const data = parsed(row["data"]);
    const found = partsOf.all(String(row["id"])).map((part) => {
      const content = parsed(part["data"]);
      return content && { ...content, id: part["id"] };
    });
    broken += found.filter((part) => part === undefined).length + (data === undefined ? 1 : 0);
    if (data === undefined) continue;
    past.see({ data, parts: found.filter((part) => part !== undefined), time: timeOf(row["time_created"]) });
    yield past.turns.take();
  }
  past.end();
  past.turns.unread(broken);
  yield past.turns.take();
}

function parsed(value: unknown): Wire | undefined {
  try {
    const found: unknown = JSON.parse(String(value));
    return isRecord(found) ? record(found) : undefined;
  } catch {
    return undefined;
  }
}
