import { fc } from "../../../test/support/fast-check.ts";
import { expect, test } from "vitest";
import { captureNames, readCapture } from "../../../test/fixtures/claude/read.ts";
import type { Capture } from "../../../test/fixtures/claude/read.ts";
import { replay, translatorOf } from "../../../test/fixtures/claude/replay.ts";
import { damage, damaged } from "../../../test/support/damage.ts";
import { expectLawful } from "../../../test/support/lawful.ts";
import { agentEventSchema } from "../../events/schema/index.ts";
import type { AgentEvent } from "../../events/types.ts";

/** The catch-all is for what no JSON can be; a message that gets there is a defect. */
function expectSound(events: readonly AgentEvent[]): void {
  for (const event of events) {
    if (event.type === "notice" && event.message.includes("could not be read")) expect.fail(event.message);
    const parsed = agentEventSchema.safeParse(event);
    if (!parsed.success) expect.fail(`${JSON.stringify(event)} is not in the vocabulary: ${parsed.error.message}`);
  }
}

test("any JSON at all is taken", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue(), { maxLength: 20 }), (messages) => {
      const translator = translatorOf();
      expectSound([
        ...messages.flatMap((message) => translator.translate(message)),
        ...translator.exited({ code: 1, signal: null }, ""),
      ]);
    }),
    { numRuns: 300 },
  );
});

/** The words of the wire in any combination: much deeper into the translator than any JSON. */
const words = fc.oneof(
  fc.constantFrom(
    "assistant",
    "user",
    "system",
    "result",
    "stream_event",
    "init",
    "status",
    "task_started",
    "task_updated",
    "api_retry",
    "success",
  ),
  fc.constantFrom(
    "content_block_delta",
    "content_block_start",
    "message_start",
    "message_stop",
    "text_delta",
    "text",
    "thinking",
    "tool_use",
    "tool_result",
  ),
  fc.constantFrom(
    "Write",
    "Edit",
    "Bash",
    "TodoWrite",
    "create",
    "c1",
    "c2",
    "msg_1",
    "completed",
    "rejected",
    "refusal",
    "aborted_tools",
    "compact_boundary",
  ),
  fc.jsonValue({ maxDepth: 1 }),
);
const keys = fc.constantFrom(
  ...[
    "type",
    "subtype",
    "event",
    "message",
    "content",
    "delta",
    "text",
    "thinking",
    "index",
    "id",
    "name",
    "input",
    "tool_use_id",
    "is_error",
    "usage",
  ],
  ...[
    "parent_tool_use_id",
    "api_message_id",
    "content_block",
    "tool_use_result",
    "tool_result_meta",
    "task_id",
    "patch",
    "status",
    "tasks",
    "errors",
  ],
  ...[
    "structuredPatch",
    "filePath",
    "todos",
    "modelUsage",
    "model_usage_since_last_result",
    "rate_limit_info",
    "unifiedWindows",
    "abandoned_blocks",
  ],
);
const { message: wire } = fc.letrec<{ message: unknown }>((tie) => ({
  message: fc.dictionary(
    keys,
    fc.oneof({ maxDepth: 4 }, words, tie("message"), fc.array(tie("message"), { maxLength: 3 })),
    { maxKeys: 8 },
  ),
}));

test("any message made of the words of the wire is taken", () => {
  fc.assert(
    fc.property(fc.array(wire, { maxLength: 10 }), (messages) => {
      const translator = translatorOf();
      expectSound(messages.flatMap((message) => translator.translate(message)));
    }),
    { numRuns: 200 },
  );
});

/** Without pieces: the scripted model says the same in two turns, which a checker that lost a line between them takes for an echo. */
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
const captures = new Map([
  ...whole.map((name): [string, Capture] => [name, withoutPieces(readCapture(name))]),
  ...partial.map((name): [string, Capture] => [name, readCapture(name)]),
]);
const telling = fc.constantFrom(...captures.keys());

test("a recording with lines lost, doubled, swapped or damaged is still lawful", () => {
  fc.assert(
    fc.property(telling, damage, (name, how) => {
      const { said, seen } = replay(damaged(captures.get(name)!, how));
      expectSound(said);
      expectLawful(seen);
    }),
    { numRuns: 150 },
  );
});

test("a recording that is cut anywhere is still lawful", () => {
  fc.assert(
    fc.property(telling, fc.nat(200), (name, at) => {
      const capture = captures.get(name)!;
      const { said, seen } = replay({ ...capture, lines: capture.lines.slice(0, at) });
      expectSound(said);
      expectLawful(seen);
    }),
    { numRuns: 100 },
  );
});

test("without partial messages the same recording says the same", () => {
  const pieces = new Set(["message.delta", "thought.delta", "turn.phase", "message.discarded", "usage.updated"]);
  const said = (capture: Capture) =>
    replay(capture)
      .said.filter((event) => !pieces.has(event.type))
      .map((event) => ("messageId" in event ? { ...event, messageId: "" } : event));
  for (const name of captureNames()) {
    const capture = readCapture(name);
    expect(said(withoutPieces(capture))).toEqual(said(capture));
  }
});

function withoutPieces(capture: Capture): Capture {
  const lines = capture.lines.filter(({ msg }) => (msg as { type?: unknown } | null)?.type !== "stream_event");
  return { ...capture, lines };
}
