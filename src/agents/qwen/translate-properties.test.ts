import { fc } from "../../../test/support/fast-check.ts";
import { expect, test } from "vitest";
import { readCapture } from "../../../test/fixtures/qwen/read.ts";
import type { Capture } from "../../../test/fixtures/qwen/read.ts";
import { replay, translatorOf } from "../../../test/fixtures/qwen/replay.ts";
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
  fc.constantFrom("assistant", "user", "system", "result", "stream_event", "init", "retry", "task_started", "success"),
  fc.constantFrom("content_block_delta", "message_start", "message_stop", "text_delta", "thinking_delta", "goal_state"),
  fc.constantFrom(
    "text",
    "thinking",
    "tool_use",
    "tool_result",
    "write_file",
    "run_shell_command",
    "agent",
    "tool_call",
  ),
  fc.constantFrom("todo_write", "call_1", "call_2", "[API Error: 500 no]", "Operation cancelled.", "plan", "yolo"),
  fc.jsonValue({ maxDepth: 1 }),
);
const keys = fc.constantFrom(
  ...["type", "subtype", "event", "message", "content", "delta", "text", "thinking", "index", "id", "name", "input"],
  ...["tool_use_id", "is_error", "usage", "parent_tool_use_id", "data", "preserveText", "error", "session_id", "todos"],
  ...["permission_mode", "model", "num_turns", "duration_ms", "task_id", "arguments", "cache_read_input_tokens"],
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
    { numRuns: 80 },
  );
});

const names = [
  "tools",
  "thinking",
  "deny",
  "interrupts",
  "subagents",
  "background",
  "errors",
  "cut",
  "empty",
  "commands",
];
const captures = new Map(names.map((name): [string, Capture] => [name, readCapture(name)]));
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
    fc.property(telling, fc.nat(300), (name, at) => {
      const capture = captures.get(name)!;
      const { said, seen } = replay({ ...capture, lines: capture.lines.slice(0, at) });
      expectSound(said);
      expectLawful(seen);
    }),
    { numRuns: 100 },
  );
});

test("without partial messages the same recording says the same", () => {
  const pieces = new Set(["message.delta", "thought.delta", "turn.phase", "message.discarded"]);
  const said = (capture: Capture) =>
    replay(capture)
      .said.filter((event) => !pieces.has(event.type))
      .map((event) => ("messageId" in event ? { ...event, messageId: "" } : event));
  // What is gone on with after a cut is told apart from what was said before only piece by piece.
  for (const name of names.filter((each) => each !== "cut" && each !== "empty")) {
    const capture = captures.get(name)!;
    expect(said(withoutPieces(capture))).toEqual(said(capture));
  }
});

function withoutPieces(capture: Capture): Capture {
  const lines = capture.lines.filter(({ msg }) => (msg as { type?: unknown } | null)?.type !== "stream_event");
  return { ...capture, lines };
}
