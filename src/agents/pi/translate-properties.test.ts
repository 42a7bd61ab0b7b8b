import { expect, test } from "vitest";
import { readRecording, recordings, replay, translatorOf } from "../../../test/fixtures/pi/replay.ts";
import { fc } from "../../../test/support/fast-check.ts";
import { expectLawful } from "../../../test/support/lawful.ts";
import { agentEventSchema } from "../../events/schema/index.ts";
import type { AgentEvent } from "../../events/types.ts";
import { dialect } from "./dialect.ts";

/** The catch-all is for what no JSON can be; a message that gets there is a defect. */
function expectSound(events: readonly AgentEvent[]): void {
  for (const event of events) {
    if (event.type === "notice" && event.message.includes("could not be read")) expect.fail(event.message);
    expect(agentEventSchema.safeParse(event).error).toBeUndefined();
  }
}

/** The words of the wire in any combination: much deeper into the translator than any JSON. */
const word = fc.constantFrom(
  ...["agent_start", "agent_settled", "message_start", "message_end", "message_update", "text_delta", "thinking_delta"],
  ...["tool_execution_start", "tool_execution_update", "tool_execution_end", "auto_retry_start", "compaction_end"],
  ...["assistant", "custom", "error", "stop", "aborted", "length", "write", "edit", "bash", "call1", "call2", "text"],
  ...["queue_update", "session_info_changed", "extension_ui_request", "extension_error", "notify", "input", "response"],
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    word,
    fc.string({ maxLength: 8 }),
    fc.integer({ min: -1, max: 3 }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom(
        ...[
          "type",
          "message",
          "role",
          "content",
          "stopReason",
          "errorMessage",
          "usage",
          "cost",
          "total",
          "input",
          "text",
        ],
        ...[
          "assistantMessageEvent",
          "contentIndex",
          "delta",
          "toolCallId",
          "toolName",
          "args",
          "path",
          "edits",
          "result",
        ],
        ...[
          "isError",
          "details",
          "patch",
          "partialResult",
          "attempt",
          "delayMs",
          "willRetry",
          "method",
          "id",
          "display",
        ],
      ),
      tie("value"),
      { maxKeys: 6 },
    ),
  ),
}));

test("any message at all is taken, and what readers see is lawful", () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 25 }), (messages) => {
      const { said, seen } = replay(messages);
      expectSound(said);
      expectLawful(seen);
    }),
    { numRuns: 300 },
  );
});

test("any JSON at all is taken, and the dialect takes it too", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (message) => {
      expectSound(translatorOf().translate(message));
      if (typeof message === "object" && message !== null) dialect.fromWire(message as Record<string, unknown>);
    }),
    { numRuns: 300 },
  );
});

test("recordings with messages lost, doubled and out of order are lawful to readers", () => {
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
