import { expect, test } from "vitest";
import { readCapture, type Capture } from "../../../test/fixtures/qwen/read.ts";
import { replay, translatorOf } from "../../../test/fixtures/qwen/replay.ts";
import { testTranslatorLaws } from "../../../test/support/translator-laws.ts";
import { allSaid, saidWhole, withoutPieces } from "../../../test/support/stream-json-captures.ts";
import { wireMessage } from "../../../test/support/wire-words.ts";

const wire = wireMessage({
  words: [
    ...["assistant", "user", "system", "result", "stream_event", "init", "retry", "task_started", "success"],
    ...["content_block_delta", "message_start", "message_stop", "text_delta", "thinking_delta", "goal_state"],
    ...["text", "thinking", "tool_use", "tool_result", "write_file", "run_shell_command", "agent", "tool_call"],
    ...["todo_write", "call_1", "call_2", "[API Error: 500 no]", "Operation cancelled.", "plan", "yolo"],
  ],
  keys: [
    ...["type", "subtype", "event", "message", "content", "delta", "text", "thinking", "index", "id", "name", "input"],
    ...["tool_use_id", "is_error", "usage", "parent_tool_use_id", "data", "preserveText", "error", "session_id"],
    ...["todos", "permission_mode", "model", "num_turns", "duration_ms", "task_id", "arguments"],
    "cache_read_input_tokens",
  ],
  maxKeys: 8,
  maxDepth: 4,
});

const names = ["tools", "thinking", "deny", "interrupts", "subagents", "background", "errors", "commands"];
/** Recordings in which repeated text after a cut can only be recognised in pieces. */
const onlyInPieces = ["cut", "empty"];

testTranslatorLaws({
  translate: (messages) => allSaid(translatorOf(), messages),
  wire,
  wireRuns: 80,
  captures: new Map([...names, ...onlyInPieces].map((name): [string, Capture] => [name, readCapture(name)])),
  replay,
  reach: { damage: 200, cut: 300 },
});

test("translates a recording without partial messages to the same text", () => {
  for (const name of names) {
    const capture = readCapture(name);
    expect(saidWhole(replay(withoutPieces(capture)).said)).toEqual(saidWhole(replay(capture).said));
  }
});
