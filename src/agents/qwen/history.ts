/** What Qwen Code keeps of its conversations: a file of JSON lines each, in a folder for each workspace. */
import { basename, join } from "node:path";
import { text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { AgentHistory } from "../contract.ts";
import type { HistoryFile } from "../shared/history-files.ts";
import { jsonlHistory } from "../shared/jsonl-history.ts";
import type { Glance } from "../shared/jsonl-history.ts";
import { PastFacts } from "../shared/past-facts.ts";
import { partsOf, promptOf, QwenPast } from "./history-events.ts";
import { encodeState } from "./state.ts";

const conversation = /^[^/]+\/chats\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.jsonl$/;

export function history(runtimeFolder: string): AgentHistory {
  return jsonlHistory({
    folder: join(runtimeFolder, "projects"),
    depth: 2,
    wanted: (path) => conversation.test(path),
    glance: (file) => new QwenGlance(file),
    reader: ({ cwd }) => new QwenPast(cwd),
  });
}

class QwenGlance implements Glance {
  readonly #id: string;
  readonly #facts = new PastFacts();

  constructor({ path }: HistoryFile) {
    this.#id = basename(path, ".jsonl");
  }

  see(entry: Wire): void {
    const facts = this.#facts;
    facts.at(text(entry["timestamp"]));
    facts.cwd ??= text(entry["cwd"]);
    facts.agentVersion = text(entry["version"]) ?? facts.agentVersion;
    facts.model = text(entry["model"]) ?? facts.model;
    if (entry["type"] === "user" && promptOf(entry) !== undefined) facts.messages++;
    if (entry["type"] === "assistant" && partsOf(entry).some(isSaid)) facts.messages++;
  }

  get session(): Glance["session"] {
    return this.#facts.of(this.#id, encodeState(this.#id));
  }
}

function isSaid(part: Wire): boolean {
  return text(part["text"]) !== undefined && part["thought"] !== true;
}
