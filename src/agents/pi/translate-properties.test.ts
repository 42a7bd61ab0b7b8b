import { test } from "vitest";
import { readRecording, recordings, replay, translatorOf } from "../../../test/fixtures/pi/replay.ts";
import { fc } from "../../../test/support/fast-check.ts";
import { expectLawful } from "../../../test/support/lawful.ts";
import { expectSound } from "../../../test/support/translator-laws.ts";
import { wireValue } from "../../../test/support/wire-words.ts";
import { dialect } from "./translate-turns.ts";

const value = wireValue({
  words: [
    ...[
      "agent_start",
      "agent_settled",
      "message_start",
      "message_end",
      "message_update",
      "text_delta",
      "thinking_delta",
    ],
    ...["tool_execution_start", "tool_execution_update", "tool_execution_end", "auto_retry_start", "compaction_end"],
    ...["assistant", "custom", "error", "stop", "aborted", "length", "write", "edit", "bash", "call1", "call2", "text"],
    ...[
      "queue_update",
      "session_info_changed",
      "extension_ui_request",
      "extension_error",
      "notify",
      "input",
      "response",
    ],
  ],
  keys: [
    ...["type", "message", "role", "content", "stopReason", "errorMessage", "usage", "cost", "total", "input", "text"],
    ...["assistantMessageEvent", "contentIndex", "delta", "toolCallId", "toolName", "args", "path", "edits", "result"],
    ...["isError", "details", "patch", "partialResult", "attempt", "delayMs", "willRetry", "method", "id", "display"],
  ],
  maxKeys: 6,
});

test("accepts any message and breaks no law", () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 25 }), (messages) => {
      const { said, seen } = replay(messages);
      expectSound(said);
      expectLawful(seen);
    }),
    { numRuns: 300 },
  );
});

test("accepts any JSON, also in the dialect", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (message) => {
      expectSound(translatorOf().translate(message));
      if (typeof message === "object" && message !== null) dialect.fromWire(message as Record<string, unknown>);
    }),
    { numRuns: 300 },
  );
});

test("breaks no law for recordings with messages lost, doubled and out of order", () => {
  const all = recordings.map((name) => readRecording(name));
  const picked = fc.constantFrom(...all).chain((messages) => {
    const some = fc.shuffledSubarray(messages, { minLength: Math.min(5, messages.length) });
    return fc.tuple(some, fc.subarray(messages)).map(([mixed, part]) => [...part, ...mixed]);
  });
  fc.assert(
    fc.property(picked, (messages) => {
      const { said, seen } = replay(messages);
      expectSound(said);
      expectLawful(seen);
    }),
    { numRuns: 60 },
  );
});
