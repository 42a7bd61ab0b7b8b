import { describe, expect, test } from "vitest";
import { messagesOf, recordings } from "../../../test/fixtures/gemini/one-shot/read.ts";
import { fc } from "../../../test/support/fast-check.ts";
import { expectLawful } from "../../../test/support/lawful.ts";
import { recorded } from "../../../test/support/recorded.ts";
import { agentEventSchema } from "../../events/schema/index.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { Exit } from "../../process/types.ts";
import { OneShotTranslator } from "./one-shot-translate.ts";

const cwd = "/workspace/gemini";
const well: Exit = { code: 0, signal: null };

function translated(messages: readonly unknown[], { cancelled = false, exit = well, stderr = "" } = {}): AgentEvent[] {
  const translator = new OneShotTranslator({ cwd, prefix: "m", exists: (path) => path.endsWith("there.txt") });
  translator.cancelling = cancelled;
  return [...messages.flatMap((message) => translator.message(message)), ...translator.exited(exit, stderr)];
}

function shape(events: readonly AgentEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type === "tool.started") return [`${event.tool}: ${event.title}`];
    if (event.type === "tool.completed") return [`done: ${event.output.text}`];
    if (event.type === "tool.failed") return [`failed (${event.reason})`];
    if (event.type === "file.changed") return [`${event.op} ${event.path}`];
    if (event.type === "message.completed") return [`said: ${event.text}`];
    if (event.type === "turn.ended")
      return [`${event.outcome} ${event.error?.code ?? ""} ${event.usage?.input ?? "-"}`];
    return event.type === "notice" ? [`notice ${event.code}`] : [];
  });
}

describe.each(recordings)("%s", (name) => {
  const events = translated(messagesOf(name), { cancelled: name.startsWith("sigint") });

  test("is understood", () => {
    expect(shape(events)).toMatchSnapshot();
    expect(events.filter((event) => event.type === "notice" && event.code === "unparsed")).toEqual([]);
  });

  test("is lawful, and in the vocabulary", () => {
    for (const event of events) expect(agentEventSchema.safeParse(event).error).toBeUndefined();
    expectLawful(recorded("gemini", events));
  });
});

test("a file that was there is changed, another is made, and one outside keeps its path", () => {
  const write = (id: string, file_path: string) => [
    { type: "tool_use", tool_name: "write_file", tool_id: id, parameters: { file_path } },
    { type: "tool_result", tool_id: id, status: "success" },
  ];
  const events = translated([
    ...write("a", `${cwd}/there.txt`),
    ...write("b", "src/new.txt"),
    ...write("c", "/elsewhere/x"),
  ]);
  expect(events.filter(({ type }) => type === "file.changed")).toMatchObject([
    { op: "modify", path: "there.txt" },
    { op: "create", path: "src/new.txt" },
    { op: "create", path: "/elsewhere/x" },
  ]);
});

test.each([
  [{ code: 41, signal: null }, "Invalid auth method selected.", "not_authenticated"],
  [{ code: 42, signal: null }, 'Error resuming session: Invalid session identifier "9".', "session_not_found"],
  [{ code: 42, signal: null }, "Error: no prompt.", "invalid_input"],
  [{ code: 55, signal: null }, "Gemini CLI is not running in a trusted directory.", "permission_denied"],
  [{ code: null, signal: "SIGKILL" }, "", "agent_crashed"],
] as const)("gone with %o", (exit, stderr, code) => {
  expect(translated([], { exit, stderr })).toMatchObject([{ type: "turn.ended", outcome: "failed", error: { code } }]);
});

test("what nobody knows is said once, with how often it came; a failure of its own is a notice", () => {
  const events = translated(
    [{ type: "weather" }, { type: "weather" }, "text", { type: "error", message: "Hm." }, { type: "result" }],
    { exit: { code: 1, signal: null } },
  );
  expect(events.flatMap((event) => (event.type === "notice" ? [[event.code, event.count]] : []))).toEqual([
    ["unparsed", undefined],
    ["unparsed", undefined],
    ["agent", undefined],
    ["unparsed", 2],
  ]);
});

const word = fc.constantFrom(
  ...["init", "message", "tool_use", "tool_result", "error", "result", "assistant", "success"],
  ...["write_file", "run_shell_command", "c1", "c2", "tool_not_registered", "/workspace/gemini/x"],
);
const names = ["type", "role", "content", "tool_name", "tool_id", "parameters", "status", "output", "error", "stats"];
const value = fc.oneof(word, fc.integer(), fc.constant(null), fc.dictionary(fc.constantFrom("message", "input"), word));
const message = fc.oneof(fc.dictionary(fc.constantFrom(...names), value), fc.anything());

test("any messages at all are taken, and what they become is lawful", () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 12 }), fc.boolean(), (messages, cancelled) => {
      expectLawful(recorded("gemini", translated(messages, { cancelled })));
    }),
    { numRuns: 200 },
  );
});
