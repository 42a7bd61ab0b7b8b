/** The blocks of an `assistant` line. */
import type { AgentEvent } from "../../events/types.ts";
import type { Calls } from "./translate-calls.ts";
import { list, named, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { Streams } from "./translate-stream.ts";
import type { Unparsed } from "../../drivers/stream-json/unparsed.ts";

export interface AnswerParts {
  readonly streams: Streams;
  readonly calls: Calls;
  readonly unparsed: Unparsed;
}

export function answerEvents(message: Wire, parts: AnswerParts): AgentEvent[] {
  const blocks = list(record(message["message"])["content"]);
  return blocks.flatMap((block) => blockEvents(message, record(block), parts));
}

function blockEvents(message: Wire, block: Wire, { streams, calls, unparsed }: AnswerParts): readonly AgentEvent[] {
  const type = named(block["type"]);
  const parent = text(message["parent_tool_use_id"]);
  switch (type) {
    case "text":
      return streams.whole(message, "message", text(block["text"]) ?? "");
    case "thinking":
      return streams.whole(message, "thought", text(block["thinking"]) ?? "");
    case "tool_use":
    case "server_tool_use":
    case "mcp_tool_use":
      return calls.started(block, parent);
    case "redacted_thinking":
      return [];
    default:
      // The result of a tool that ran at the model's service.
      return type.endsWith("_tool_result") ? calls.ended(block, parent) : unparsed.saw(`a block of type ${type}`);
  }
}
