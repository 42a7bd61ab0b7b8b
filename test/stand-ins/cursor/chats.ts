/** Conversations on disk: one folder each, with metadata and a database of messages. */
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fieldsOf, listOf, numberOf, parsed, textOf, type ChatMessage } from "../agent-loop/index.ts";
import { readJson, writeJson } from "./files.ts";
import { chatsFolder } from "./places.ts";

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
export const isChatId = (id: string): boolean => uuid.test(id);

export interface ListedChat {
  readonly id: string;
  readonly cwd: string;
  readonly title: string;
  readonly updatedAt: number;
  readonly hasConversation: boolean;
}

export class Chat {
  readonly id: string;
  readonly cwd: string;
  readonly messages: ChatMessage[];
  readonly #folder: string;

  constructor(id: string, cwd: string) {
    this.id = id;
    this.cwd = cwd;
    this.#folder = join(chatsFolder(cwd), id);
    this.messages = existsSync(join(this.#folder, "store.db")) ? readMessages(this.#folder) : [];
  }

  /** Writes the messages before the metadata, which must only refer to stored messages. */
  keep(): void {
    mkdirSync(this.#folder, { recursive: true });
    const store = openStore(this.#folder);
    const data = Buffer.from(JSON.stringify(this.messages));
    store.exec("BEGIN");
    store.exec("CREATE TABLE IF NOT EXISTS blobs (id TEXT PRIMARY KEY, data BLOB)");
    store.exec("CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT)");
    store.prepare("INSERT OR REPLACE INTO blobs (id, data) VALUES ('root', ?)").run(data);
    store.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('0', ?)").run(titleOf(this.messages));
    store.exec("COMMIT");
    store.close();
    const now = Date.now();
    const meta = join(this.#folder, "meta.json");
    writeJson(meta, {
      schemaVersion: 1,
      createdAtMs: numberOf(readJson(meta)["createdAtMs"]) || now,
      hasConversation: this.messages.length > 0,
      updatedAtMs: now,
      cwd: this.cwd,
    });
  }
}

/** Newest first. */
export function listChats(cwd: string): ListedChat[] {
  const folder = chatsFolder(cwd);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const chats = names.filter(isChatId).map((id): ListedChat => {
    const meta = readJson(join(folder, id, "meta.json"));
    const hasConversation = meta["hasConversation"] === true;
    const title = hasConversation ? titleOf(readMessages(join(folder, id))) : "";
    return { id, cwd: textOf(meta["cwd"]), title, updatedAt: numberOf(meta["updatedAtMs"]), hasConversation };
  });
  return chats.toSorted((one, other) => other.updatedAt - one.updatedAt);
}

export const hasConversation = (cwd: string, id: string): boolean =>
  isChatId(id) && readJson(join(chatsFolder(cwd), id, "meta.json"))["hasConversation"] === true;

export function titleOf(messages: readonly ChatMessage[]): string {
  const said = messages.find(({ role }) => role === "user")?.content ?? "";
  const words =
    typeof said === "string"
      ? said
      : listOf(said)
          .map((part) => textOf(fieldsOf(part)["text"]))
          .join(" ");
  return words.slice(0, 40);
}

function readMessages(folder: string): ChatMessage[] {
  const store = openStore(folder);
  const data = store.prepare("SELECT data FROM blobs WHERE id = 'root'").get()?.["data"];
  store.close();
  return data instanceof Uint8Array ? [...(listOf(parsed(Buffer.from(data).toString())) as ChatMessage[])] : [];
}

/** Loaded on use: most commands need no database, and some versions of Node print a warning when it is loaded. */
function openStore(folder: string) {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  return new DatabaseSync(join(folder, "store.db"));
}
