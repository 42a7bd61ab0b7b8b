import { expect, test } from "vitest";
import { fc } from "../../../test/support/fast-check.ts";
import { agentEventSchema } from "../../events/schema/index.ts";
import type { AgentEvent } from "../../events/types.ts";
import { Translation } from "./translate.ts";

const fresh = (whole = true) => new Translation({ runId: "run-1", cwd: "/work", whole });
type Said = readonly [type: string, data: unknown];

function told(events: readonly Said[], translation = fresh()): AgentEvent[] {
  return events.flatMap(([type, data]) => translation.take({ type, data: JSON.stringify(data) }));
}

const call = (more: object) => ["tool_call", { callId: "c", name: "read_file", status: "completed", ...more }] as const;

test("translates a run from its first message to its end", () => {
  const translation = fresh();
  const events = told(
    [
      ["status", { runId: "run-1", status: "RUNNING" }],
      ["thinking", { text: "Hm." }],
      ["assistant", { text: "I will " }],
      ["assistant", { text: "read." }],
      ["heartbeat", {}],
      ["interaction_update", { type: "text-delta", text: "read." }],
      ["tool_call", { callId: "c", name: "read_file", status: "running", args: { path: "README.md" } }],
      ["tool_call", { callId: "c", name: "read_file", status: "running", args: { path: "README.md" } }],
      call({ result: { success: { content: "# Project", path: "README.md" } } }),
      call({ result: { success: { content: "twice" } } }),
      ["assistant", { text: "Done." }],
      [
        "result",
        { status: "FINISHED", text: "Done.", git: { branches: [{ repoUrl: "github.com/o/r", branch: "b" }] } },
      ],
      ["done", {}],
    ],
    translation,
  );
  expect(events).toEqual([
    { type: "turn.phase", phase: "model" },
    { type: "thought.delta", messageId: "run-1/1", text: "Hm." },
    { type: "thought.completed", messageId: "run-1/1", text: "Hm." },
    { type: "message.delta", messageId: "run-1/2", text: "I will " },
    { type: "message.delta", messageId: "run-1/2", text: "read." },
    { type: "message.completed", messageId: "run-1/2", text: "I will read." },
    expect.objectContaining({ type: "tool.started", callId: "c", tool: "read", title: "Read README.md" }),
    { type: "tool.completed", callId: "c", output: { text: "# Project", bytes: 9, kept: 9 } },
    { type: "message.delta", messageId: "run-1/3", text: "Done." },
    { type: "message.completed", messageId: "run-1/3", text: "Done." },
  ]);
  expect(translation.end).toEqual({
    outcome: "done",
    branches: [{ repository: "github.com/o/r", branch: "b", pullRequest: undefined }],
  });
  expect(translation.closed).toBe(true);
});

const changed = (name: string, args: object, success: object) =>
  told([["tool_call", { callId: "c", name, status: "completed", args, result: { success } }]]).at(-1);

test("reports changed files when the service reports them", () => {
  expect(changed("write_file", { path: "/work/a" }, { beforeFullFileContent: "" })).toMatchObject({
    path: "a",
    op: "create",
  });
  expect(changed("write_file", { path: "a" }, { beforeFullFileContent: "x" })).toMatchObject({ op: "modify" });
  expect(changed("edit_file", { path: "a" }, { diffString: "@@" })).toMatchObject({ op: "modify", diff: "@@" });
  expect(changed("edit_file", {}, { path: "/elsewhere/a", beforeFullFileContent: "" })).toMatchObject({
    path: "/elsewhere/a",
    op: "create",
  });
  expect(changed("delete_file", { path: "a" }, {})).toMatchObject({ op: "delete" });
  expect(changed("edit_file", {}, {})).toMatchObject({ type: "tool.completed" });
  const todos = [
    { content: "One", status: "in_progress" },
    { content: "Two", status: "?" },
    { content: "Given up", status: "cancelled" },
    { status: "pending" },
  ];
  expect(changed("todo_write", { todos }, {})).toEqual({
    type: "plan.updated",
    entries: [
      { text: "One", status: "in_progress" },
      { text: "Two", status: "pending" },
    ],
  });
  expect(changed("todo_write", {}, {})).toMatchObject({ type: "tool.completed" });
  expect(changed("create_plan", { name: "Plan" }, {})).toMatchObject({ type: "tool.completed" });
});

test.each([
  [
    { result: { failure: { exitCode: 2, stdout: "a", stderr: "b" } } },
    { reason: "error", error: { message: "a\nb", exitCode: 2 } },
  ],
  [{ result: { rejected: { reason: "No." } } }, { reason: "denied", error: { message: "No." } }],
  [{ result: { timeout: { error: "Too slow." } } }, { reason: "timeout", error: { message: "Too slow." } }],
  [{ result: { error: "broken" } }, { reason: "error", error: { message: "broken" } }],
  [
    { status: "error", result: "gone" },
    { reason: "error", error: { message: "gone" } },
  ],
  [{ status: "error" }, { reason: "error", error: { message: "It failed without a message." } }],
])("reports a failed call: %o", (more, failed) =>
  expect(told([call(more)]).at(-1)).toMatchObject({ type: "tool.failed", ...failed }),
);

test.each([
  ["text", "text"],
  [["a", 1], '["a",1]'],
  [{ success: { stdout: "", stderr: "" } }, ""],
  [{ success: { content: [{ text: "one" }, { text: { text: "two" } }, "three"] } }, "one\ntwo\nthree"],
  [{ success: { something: 1 } }, '{"something":1}'],
  [null, ""],
])("reports the result of a call: %o", (result, text) =>
  expect(told([call({ result })]).at(-1)).toMatchObject({ output: { text } }),
);

test("says that the service left out a long output", () => {
  const [, args] = told([call({ status: "running", truncated: { args: true } })]);
  expect(args).toMatchObject({ type: "notice", code: "truncated" });
  expect(told([call({ truncated: { result: true } })]).at(-1)).toMatchObject({ code: "truncated" });
});

test("reports unknown messages without effect on others", () => {
  const odd: readonly Said[] = [
    ["surprise", {}],
    ["tool_call", { name: "x" }],
    ["tool_call", { callId: "y" }],
    ["result", { status: "HALFWAY" }],
    ["result", {}],
  ];
  expect(told(odd).map((event) => "code" in event && event.code)).toEqual(odd.map(() => "unparsed"));
  expect(fresh().take({ type: "assistant", data: "{" })).toMatchObject([{ code: "unparsed" }]);
  expect(told([call({ status: "paused" })]).map(({ type }) => type)).toEqual([
    "tool.started",
    "notice",
    "tool.completed",
  ]);
  expect(
    told([
      ["assistant", {}],
      ["status", {}],
    ]),
  ).toEqual([]);
});

test.each([
  ["FINISHED", "done", undefined],
  ["CANCELLED", "cancelled", undefined],
  ["STOPPED", "cancelled", undefined],
  ["EXPIRED", "failed", "timeout"],
  ["ERROR", "failed", "agent_error"],
])("ends a run that is %s", (status, outcome, code) => {
  const translation = fresh();
  told([["result", { status }]], translation);
  expect(translation.end).toMatchObject({ outcome, ...(code && { error: { code } }) });
  expect(translation.finish({ id: "run-1", status: "ERROR", branches: [] })).toEqual([]);
});

test.each([
  ["unauthenticated", "", "not_authenticated"],
  ["usage_limit_exceeded", "", "quota_exhausted"],
  ["rate_limited", "", "rate_limited"],
  ["context_too_long", "", "context_too_long"],
  ["model_not_found", "", "model_unknown"],
  ["unavailable", "", "overloaded"],
  ["connection_lost", "", "network"],
  ["other", "You have hit your usage limit.", "quota_exhausted"],
  [undefined, undefined, "agent_error"],
])("classifies an error %s as %s", (code, message, ours) => {
  const translation = fresh();
  told(
    [
      ["error", { code, message }],
      ["result", { status: "ERROR" }],
    ],
    translation,
  );
  expect(translation.end?.error).toMatchObject({ code: ours, agent: "cursor-cloud" });
});

test("reports the last message once, from the stream or the run", () => {
  const words = (events: readonly AgentEvent[]) =>
    events.flatMap((event) => (event.type === "message.delta" ? [event.text] : []));
  expect(words(told([["result", { status: "FINISHED", text: "All." }]]))).toEqual(["All."]);
  expect(words(told([["result", { status: "FINISHED", text: "All." }]], fresh(false)))).toEqual([]);
  expect(
    words(
      told([
        ["assistant", { text: "All." }],
        ["result", { status: "FINISHED", text: "All." }],
      ]),
    ),
  ).toEqual(["All."]);
  const half = fresh();
  told([["assistant", { text: "Al" }]], half);
  const run = { id: "run-1", status: "FINISHED", result: "All.", branches: [] };
  expect(words(half.finish(run))).toEqual(["l."]);
  expect(words(fresh(false).finish(run))).toEqual(["All."]);
  const late = fresh(false);
  told([["assistant", { text: "l.\n" }]], late);
  expect(words(late.finish(run))).toEqual([]);
  const untold = told([call({}), ["result", { status: "FINISHED", text: "All." }]], fresh(false));
  expect(words(untold)).toEqual(["All."]);
  const other = fresh();
  told([["assistant", { text: "Else." }]], other);
  expect(words(other.finish({ ...run, error: { code: "x" } }))).toEqual(["All."]);
  const left = fresh();
  told([["thinking", { text: "Hm" }]], left);
  expect(left.close()).toMatchObject([{ type: "thought.completed", text: "Hm" }]);
});

test("never throws and emits only valid events for any input", () => {
  const types = ["status", "assistant", "thinking", "tool_call", "result", "error", "done", "x"];
  const field = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom("running", "completed", "FINISHED", "edit_file", "mcp", "todo_write"),
  );
  const keys = fc.constantFrom(
    "callId",
    "name",
    "status",
    "args",
    "result",
    "truncated",
    "text",
    "git",
    "code",
    "message",
  );
  const data = fc.oneof(
    fc.string(),
    fc.json(),
    fc.dictionary(keys, field).map((one) => JSON.stringify(one)),
  );
  const event = fc.record({ type: fc.constantFrom(...types), data });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 12 }), fc.boolean(), (events, whole) => {
      const translation = fresh(whole);
      for (const said of [...events.flatMap((one) => translation.take(one)), ...translation.close()])
        expect({ said, fits: agentEventSchema.safeParse(said).success }).toEqual({ said, fits: true });
    }),
    { numRuns: 300 },
  );
});
