import { expect, test } from "vitest";
import { captureNames, readCapture, type Capture } from "../../../test/fixtures/claude/read.ts";
import { replay, translatorOf } from "../../../test/fixtures/claude/replay.ts";
import { testTranslatorLaws } from "../../../test/support/translator-laws.ts";
import { allSaid, saidWhole, withoutPieces } from "../../../test/support/stream-json-captures.ts";
import { wireMessage } from "../../../test/support/wire-words.ts";

const wire = wireMessage({
  words: [
    ...["assistant", "user", "system", "result", "stream_event", "init", "status", "task_started", "task_updated"],
    ...["api_retry", "success", "content_block_delta", "content_block_start", "message_start", "message_stop"],
    ...["text_delta", "text", "thinking", "tool_use", "tool_result", "Write", "Edit", "Bash", "TodoWrite", "create"],
    ...["c1", "c2", "msg_1", "completed", "rejected", "refusal", "aborted_tools", "compact_boundary"],
  ],
  keys: [
    ...["type", "subtype", "event", "message", "content", "delta", "text", "thinking", "index", "id", "name", "input"],
    ...["tool_use_id", "is_error", "usage", "parent_tool_use_id", "api_message_id", "content_block", "tool_use_result"],
    ...["tool_result_meta", "task_id", "patch", "status", "tasks", "errors", "structuredPatch", "filePath", "todos"],
    ...["modelUsage", "model_usage_since_last_result", "rate_limit_info", "unifiedWindows", "abandoned_blocks"],
  ],
  maxKeys: 8,
  maxDepth: 4,
});

/**
 * Recordings without partial messages: the scripted model repeats a text in two turns, which a checker that lost a line
 * between them would take for an echo.
 */
const whole = [
  "subagent",
  "slash_clear",
  "bash_bg",
  "overwrite",
  "tasks",
  "perm_multi",
  "interrupt_tool",
  "oauth_rl429",
];
const partial = ["partial", "interrupt_text", "subagent_partial", "subagent_interrupt", "textthen", "miderror"];

testTranslatorLaws({
  translate: (messages) => allSaid(translatorOf(), messages),
  wire,
  wireRuns: 200,
  captures: new Map([
    ...whole.map((name): [string, Capture] => [name, withoutPieces(readCapture(name))]),
    ...partial.map((name): [string, Capture] => [name, readCapture(name)]),
  ]),
  replay,
  reach: { damage: 200, cut: 200 },
});

test("translates a recording without partial messages to the same text", () => {
  const said = (capture: Capture) => saidWhole(replay(capture).said).filter(({ type }) => type !== "usage.updated");
  for (const name of captureNames()) {
    const capture = readCapture(name);
    expect(said(withoutPieces(capture))).toEqual(said(capture));
  }
});
