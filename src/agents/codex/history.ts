/** What Codex keeps of its conversations: a rollout each, in a folder for each day. */
import { isRecord, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { AgentHistory } from "../contract.ts";
import { jsonlHistory } from "../shared/jsonl-history.ts";
import type { Glance } from "../shared/jsonl-history.ts";
import { PastFacts } from "../shared/past-facts.ts";
import { answerIn, CodexPast, promptOf } from "./history-events.ts";
import { encodeState } from "./state.ts";

const rollout = /^(?:sessions\/\d{4}\/\d\d\/\d\d|archived_sessions)\/rollout-[\w-]+\.jsonl$/;

export function history(codexHome: string): AgentHistory {
  return jsonlHistory({
    folder: codexHome,
    depth: 4,
    wanted: (path) => rollout.test(path),
    glance: () => new CodexGlance(),
    reader: ({ cwd }) => new CodexPast(cwd),
  });
}

class CodexGlance implements Glance {
  readonly #facts = new PastFacts();
  #id: string | undefined;
  #ofSubagent = false;

  see(entry: Wire): void {
    const facts = this.#facts;
    const payload = record(entry["payload"]);
    facts.at(text(entry["timestamp"]));
    switch (entry["type"]) {
      case "session_meta":
        // A copy has that of the original too, further down.
        this.#id ??= text(payload["id"]);
        this.#ofSubagent ||= isRecord(payload["source"]) && "subagent" in payload["source"];
        facts.cwd ??= text(payload["cwd"]);
        facts.agentVersion ??= text(payload["cli_version"]);
        return;
      case "turn_context":
        facts.model = text(payload["model"]) ?? facts.model;
        return;
      case "event_msg":
        if (promptOf(payload) !== undefined) facts.messages++;
        return;
      case "response_item":
        if (answerIn(payload) !== undefined) facts.messages++;
    }
  }

  get session(): Glance["session"] {
    return this.#id === undefined || this.#ofSubagent ? undefined : this.#facts.of(this.#id, encodeState(this.#id));
  }
}
