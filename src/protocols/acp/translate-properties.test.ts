import { linesOf, recordings, type Line } from "../../../test/fixtures/acp/read.ts";
import { replay, translatorOf } from "../../../test/fixtures/acp/replay.ts";
import { testTranslatorLaws } from "../../../test/support/translator-laws.ts";
import { wireMessage } from "../../../test/support/wire-words.ts";
import type { AgentEvent } from "../../events/types.ts";

const wire = wireMessage({
  words: [
    ...["agent_message_chunk", "agent_thought_chunk", "user_message_chunk", "tool_call", "tool_call_update"],
    ...["plan", "available_commands_update", "current_mode_update", "config_option_update", "usage_update"],
    ...["session_info_update", "text", "image", "resource", "resource_link", "diff", "content", "terminal"],
    ...["pending", "in_progress", "completed", "failed", "cancelled", "edit", "execute", "read", "c1", "c2"],
    ...["mode", "model", "end_turn", "refusal", "write_file", "mcp__a__b", "/workspace/app/a.txt"],
  ],
  keys: [
    ...["sessionUpdate", "content", "type", "text", "messageId", "toolCallId", "title", "name", "kind", "status"],
    ...["rawInput", "rawOutput", "locations", "path", "line", "oldText", "newText", "_meta", "toolName", "entries"],
    ...["availableCommands", "currentModeId", "configOptions", "options", "value", "category", "currentValue", "used"],
    ...["size", "cost", "amount", "usage", "inputTokens", "outputTokens", "stopReason", "resource", "uri", "mimeType"],
    "data",
  ],
  maxKeys: 6,
  maxDepth: 3,
});

testTranslatorLaws({
  translate: (updates) => {
    const translator = translatorOf({ quirks: { usage: { counts: "turn" } } });
    const out: AgentEvent[] = [];
    translator.facts.introduced = true;
    translator.prompted();
    for (const update of updates) translator.update(update, out);
    translator.ended({ result: updates.at(-1) }, out);
    return out;
  },
  wire,
  wireRuns: 100,
  captures: new Map(recordings().map((name): [string, { lines: readonly Line[] }] => [name, { lines: linesOf(name) }])),
  replay: ({ lines }) => replay(lines),
  reach: { damage: 100, cut: 120 },
});
