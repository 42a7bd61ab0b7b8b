/** What Claude Code keeps of its conversations: a file of JSON lines each, in a folder for each workspace. */
import { basename, join } from "node:path";
import { list, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { AgentHistory } from "../contract.ts";
import type { HistoryFile } from "../shared/history-files.ts";
import { jsonlHistory } from "../shared/jsonl-history.ts";
import type { Glance } from "../shared/jsonl-history.ts";
import { PastFacts } from "../shared/past-facts.ts";
import { ClaudePast, isShown, promptOf } from "./history-events.ts";
import { encodeState } from "./state.ts";

/** Subagents are below these, in folders of their own: what they came to is in the conversation. */
const conversation = /^[^/]+\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.jsonl$/;

export function history(configFolder: string): AgentHistory {
  return jsonlHistory({
    folder: join(configFolder, "projects"),
    depth: 1,
    wanted: (path) => conversation.test(path),
    glance: (file) => new ClaudeGlance(file),
    reader: ({ cwd }) => new ClaudePast(cwd),
  });
}

class ClaudeGlance implements Glance {
  readonly #id: string;
  readonly #facts = new PastFacts();

  constructor({ path }: HistoryFile) {
    this.#id = basename(path, ".jsonl");
  }

  see(entry: Wire): void {
    const facts = this.#facts;
    const { type } = entry;
    if (type !== "user" && type !== "assistant") {
      facts.title = text(entry["customTitle"]) ?? text(entry["aiTitle"]) ?? text(entry["summary"]) ?? facts.title;
      return;
    }
    if (!isShown(entry) || entry["isApiErrorMessage"] === true) return;
    facts.at(text(entry["timestamp"]));
    facts.cwd ??= text(entry["cwd"]);
    facts.agentVersion = text(entry["version"]) ?? facts.agentVersion;
    const message = record(entry["message"]);
    const model = text(message["model"]);
    // Its own words in the model's place are of a model in angle brackets.
    if (model?.startsWith("<") === false) facts.model = model;
    const said = type === "user" ? promptOf(entry) !== undefined : list(message["content"]).some(isText);
    if (said) facts.messages++;
  }

  get session(): Glance["session"] {
    return this.#facts.of(this.#id, encodeState(this.#id));
  }
}

function isText(block: unknown): boolean {
  return record(block)["type"] === "text";
}
