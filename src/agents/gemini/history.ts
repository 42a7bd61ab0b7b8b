/** What Gemini CLI keeps of its conversations: a file of JSON lines each, in a folder for each workspace. */
import { dirname, join } from "node:path";
import { record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { AgentHistory } from "../contract.ts";
import { historyNote } from "../shared/history-files.ts";
import { jsonlHistory } from "../shared/jsonl-history.ts";
import type { Glance } from "../shared/jsonl-history.ts";
import { PastFacts } from "../shared/past-facts.ts";
import { GeminiPast, messagesOf, promptOf } from "./history-events.ts";
import { stateOf } from "./state.ts";

const conversation = /^[^/]+\/chats\/session-[\w-]+\.jsonl$/;

export function history(geminiFolder: string): AgentHistory {
  return jsonlHistory({
    folder: join(geminiFolder, "tmp"),
    depth: 2,
    wanted: (path) => conversation.test(path),
    // Which workspace it is stands beside the conversations.
    glance: async ({ path }) => new GeminiGlance(await historyNote(join(dirname(dirname(path)), ".project_root"))),
    reader: ({ cwd }) => new GeminiPast(cwd),
  });
}

class GeminiGlance implements Glance {
  readonly #facts = new PastFacts();
  readonly #seen = new Set<string>();
  #id: string | undefined;
  #ofPerson = true;

  constructor(workspace: string) {
    this.#facts.cwd = text(workspace.trim());
  }

  see(entry: Wire): void {
    const facts = this.#facts;
    const id = text(entry["sessionId"]);
    if (id !== undefined) {
      this.#id = id;
      this.#ofPerson = (entry["kind"] ?? "main") === "main";
      facts.at(text(entry["startTime"]));
    }
    facts.title = text(record(entry["$set"])["summary"]) ?? facts.title;
    for (const message of messagesOf(entry)) this.#message(message);
  }

  get session(): Glance["session"] {
    return this.#id === undefined || !this.#ofPerson ? undefined : this.#facts.of(this.#id, stateOf(this.#id));
  }

  #message(message: Wire): void {
    const facts = this.#facts;
    const id = text(message["id"]);
    if (id === undefined || this.#seen.has(id)) return;
    this.#seen.add(id);
    facts.at(text(message["timestamp"]));
    facts.model = text(message["model"]) ?? facts.model;
    const asked = message["type"] === "user" && promptOf(message) !== undefined;
    const answered = message["type"] === "gemini" && text(message["content"]) !== undefined;
    if (asked || answered) facts.messages++;
  }
}
