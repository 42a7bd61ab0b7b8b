/** History of OpenCode, which keeps conversations in a database. Reads only the rows of conversations. */
import { copyFileSync, lstatSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type * as sqlite from "node:sqlite";
import type { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { isRecord, parseJson, record, records, text, type JsonObject } from "../../protocols/json.ts";
import type { AgentHistory, PastEvent, PastSession } from "../contract.ts";
import type { HistoryLines } from "../shared/history/files.ts";
import { readPast, type PastReader } from "../shared/history/jsonl.ts";
import { PastConversation, pastPrompt } from "../shared/history/past-conversation.ts";
import { conversationState } from "../../protocols/conversation-state.ts";
import { factsOf, failures, isAbort } from "./failures.ts";
import { program } from "./program.ts";
import { Calls, planOf, Sessions } from "./translate-calls.ts";

/** Conversations of subagents have a parent, which has their results. */
const sessions = `select id, directory, title, version, model, time_created, time_updated,
  (select count(*) from message where session_id = session.id) as messages
  from session where parent_id is null and (?1 is null or directory = ?1) order by time_updated desc`;
const messages = "select id, time_created, data from message where session_id = ? order by time_created, id";
const parts = "select id, data from part where message_id = ? order by id";

export function history(path: string): AgentHistory {
  return {
    async *list({ cwd } = {}) {
      // Read at once, so that the database is not held open while a caller reads one of them.
      for (const session of rowsOf(path, sessions, cwd ?? null)) {
        const past = pastSession(session, path);
        if (past !== undefined && past.messages > 0) yield past;
      }
    },
    read,
  };
}

function rowsOf(path: string, query: string, value: string | null): JsonObject[] {
  try {
    using database = openDatabase(path);
    return database?.rows.prepare(query).all(value) ?? [];
  } catch {
    // The schema of another version, or a damaged database.
    return [];
  }
}

function pastSession(row: JsonObject, place: string): PastSession | undefined {
  const [id, cwd] = [text(row["id"]), text(row["directory"])];
  const [createdAt, updatedAt] = [timeOf(row["time_created"]), timeOf(row["time_updated"])];
  if (id === undefined || cwd === undefined || createdAt === undefined || updatedAt === undefined) return undefined;
  const { providerID, id: model } = record(parseJson(row["model"]));
  return {
    id,
    state: conversationState(program).encode(id),
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
  const past = new PastConversation(cwd);
  yield* readPast(past, new OpenCodePast(past, id), messagesIn(database.rows, id));
}

async function* messagesIn(rows: DatabaseSync, session: string): AsyncGenerator<HistoryLines> {
  const partsOf = rows.prepare(parts);
  for (const row of rows.prepare(messages).iterate(session)) {
    const data = parseJson(row["data"]);
    const found = partsOf.all(String(row["id"])).map(({ id, data }) => ({ id, content: parseJson(data) }));
    const good = found.filter(({ content }) => isRecord(content));
    const whole = good.map((part) => ({ ...record(part.content), id: part.id }));
    const entry = { data, time: timeOf(row["time_created"]), parts: whole };
    const broken = found.length - good.length;
    yield isRecord(data) ? { entries: [entry], broken } : { entries: [], broken: broken + 1 };
  }
}

class OpenCodePast implements PastReader {
  readonly #past: PastConversation;
  readonly #session: string;
  readonly #calls: Calls;

  constructor(past: PastConversation, session: string) {
    this.#past = past;
    this.#session = session;
    this.#calls = new Calls({ cwd: past.cwd ?? "", servers: new Set() }, new Sessions(session));
  }

  line({ data, parts, time }: JsonObject): void {
    const { role, time: times, error } = record(data);
    this.#past.at(text(time));
    if (role === "user") return this.#asked(records(parts));
    for (const part of records(parts)) this.#part(part);
    this.#past.at(timeOf(record(times)["completed"]));
    if (!isRecord(error)) return;
    if (isAbort(error)) return this.#past.end("cancelled");
    const info = failures.error(factsOf(error));
    this.#past.end(info.code === "refused" ? "refused" : "failed", info);
  }

  #asked(parts: readonly JsonObject[]): void {
    const own = parts.filter((part) => part["synthetic"] !== true && part["ignored"] !== true);
    const said = own.flatMap((part) => (part["type"] === "text" ? (text(part["text"]) ?? []) : []));
    const files = own.filter((part) => part["type"] === "file");
    if (own.some((part) => part["type"] === "compaction"))
      return this.#past.event({ type: "context.compacted", trigger: "auto" });
    const attachments = files.map((file) => ({
      kind: text(file["mime"])?.startsWith("image/") === true ? ("image" as const) : ("file" as const),
      name: text(file["filename"]) ?? "file",
    }));
    const prompt = pastPrompt(said, 0, attachments);
    if (prompt !== undefined) this.#past.prompt(prompt);
  }

  #part(part: JsonObject): void {
    const { start } = record(part["time"] ?? record(part["state"])["time"]);
    this.#past.at(timeOf(start));
    switch (part["type"]) {
      case "text":
        if (part["ignored"] !== true) this.#past.message(text(part["text"]) ?? "");
        return;
      case "reasoning":
        return this.#past.thought(text(part["text"]) ?? "");
      case "tool":
        return this.#call(part, record(part["state"]));
    }
  }

  #call(part: JsonObject, state: JsonObject): void {
    const [callId, path] = [text(part["callID"]), text(record(state["metadata"])["filepath"])];
    // The input holds the whole content of a new file.
    if (part["tool"] === "write" && record(state["metadata"])["exists"] === false && callId !== undefined && path)
      this.#calls.held(callId, { path, existed: false, text: undefined });
    for (const event of this.#calls.part(this.#session, part, () => [])) {
      if (event.type === "tool.completed" || event.type === "tool.failed")
        this.#past.at(timeOf(record(state["time"])["end"]));
      // The end of a call has its whole output.
      if (event.type !== "tool.progress") this.#past.event(event);
    }
    if (part["tool"] === "todowrite" && state["status"] === "completed")
      this.#past.event({ type: "plan.updated", entries: planOf(record(state["input"])["todos"]) });
  }
}

function timeOf(value: unknown): string | undefined {
  return typeof value === "number" && Math.abs(value) <= 8.64e15 ? new Date(value).toISOString() : undefined;
}

/**
 * Opens OpenCode's database without writing beside it. To read a database that others write to, SQLite uses two files
 * next to it (`-wal` and `-shm`) and creates them when they are missing:
 * - without the first, the database is read as a file that does not change;
 * - with both, another process may be writing, and SQLite reads as usual;
 * - with the first alone, a process was interrupted, and a copy is read.
 * Undefined without a database or without SQLite.
 */
function openDatabase(path: string) {
  const DatabaseSync = isFile(path) ? loadSqlite()?.DatabaseSync : undefined;
  if (DatabaseSync === undefined) return undefined;
  if (!isFile(`${path}-wal`)) {
    const address = pathToFileURL(path);
    address.search = "immutable=1";
    return opened(new DatabaseSync(address, { readOnly: true }));
  }
  if (isFile(`${path}-shm`)) return opened(new DatabaseSync(path, { readOnly: true }));
  const folder = mkdtempSync(join(tmpdir(), "reins-history-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, "copy.db");
    copyFileSync(path, copy);
    copyFileSync(`${path}-wal`, `${copy}-wal`);
    return opened(new DatabaseSync(copy), remove);
  } catch (thrown) {
    remove();
    throw thrown;
  }
}

/** Loaded on demand; Node 22 would warn on stderr that it is experimental. */
function loadSqlite(): typeof sqlite | undefined {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}

function opened(rows: DatabaseSync, after: () => void = () => {}) {
  return {
    rows,
    [Symbol.dispose]() {
      rows.close();
      after();
    },
  };
}

/** False for a link, which may lead anywhere. */
function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
