import { describe, expect, test } from "vitest";
import { plainFailures } from "../../../test/support/plain-failures.ts";
import { translatorOf } from "../../../test/fixtures/acp/replay.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { TranslatorOptions } from "./translate.ts";

/** Returns the events of one turn: of these updates and of the answer that ends it. */
function translate(
  updates: readonly object[],
  options: Partial<TranslatorOptions> = {},
  result: unknown = { stopReason: "end_turn" },
): AgentEvent[] {
  const translator = translatorOf(options);
  const out: AgentEvent[] = [];
  translator.facts.introduced = true;
  translator.prompted();
  for (const update of updates) translator.update(update, out);
  translator.ended({ result }, out);
  return out;
}

const say = (text: string, more: object = {}) => ({
  sessionUpdate: "agent_message_chunk",
  content: { type: "text", text },
  ...more,
});
const call = (more: object) => ({ sessionUpdate: "tool_call", toolCallId: "c", ...more });
const update = (more: object) => ({ sessionUpdate: "tool_call_update", toolCallId: "c", ...more });
const only = (events: readonly AgentEvent[], ...types: string[]) => events.filter(({ type }) => types.includes(type));

describe("messages", () => {
  test("separates messages by the agent's ids and gives them unique ids", () => {
    const events = translate([
      say("a", { messageId: "1" }),
      say("b", { messageId: "1" }),
      say("c", { messageId: "2" }),
    ]);
    expect(only(events, "message.completed")).toMatchObject([{ text: "ab" }, { text: "c" }]);
    expect(new Set(only(events, "message.delta").map((event) => "messageId" in event && event.messageId)).size).toBe(2);
  });

  test("continues a message when the end of a call is repeated in between", () => {
    const failed = update({ status: "failed", rawOutput: "no" });
    const events = translate([call({ title: "Write", kind: "edit" }), failed, say("a"), failed, say("b")]);
    expect(only(events, "message.completed")).toMatchObject([{ text: "ab" }]);
    expect(only(events, "tool.failed")).toHaveLength(1);
  });

  test("keeps content that is not text beside the text", () => {
    const image = { type: "image", mimeType: "image/png", data: "AAAA" };
    const link = { type: "resource_link", uri: "file:///a", name: "a", mimeType: "text/plain" };
    const resource = { type: "resource", resource: { uri: "file:///b", text: "b" } };
    const blocks = [image, link, resource, { type: "audio", data: "AA==", mimeType: "audio/wav" }];
    const updates = blocks.map((content) => ({ sessionUpdate: "agent_message_chunk", content }));
    expect(only(translate([say("see "), ...updates]), "message.completed")).toEqual([
      {
        type: "message.completed",
        messageId: "m1",
        text: "see ",
        parent: undefined,
        content: [
          { type: "image", mediaType: "image/png", data: "AAAA", bytes: 3 },
          { type: "resource", uri: "file:///a", mediaType: "text/plain" },
          { type: "resource", uri: "file:///b", text: "b" },
          { type: "resource", uri: "data:", mediaType: "audio/wav" },
        ],
      },
    ]);
  });

  test("reports unknown or missing content as a notice", () => {
    const odd = ["agent_message_chunk", "agent_thought_chunk"].flatMap((sessionUpdate) => [
      { sessionUpdate, content: { type: "smell" } },
      { sessionUpdate },
    ]);
    expect(only(translate(odd), "notice").map((event) => "message" in event && event.message)).toEqual([
      "Recorded sent content smell, which Reins does not know; it was ignored.",
      "Recorded sent a message without content, which Reins does not know; it was ignored.",
      "Recorded sent a thought without content, which Reins does not know; it was ignored.",
      "Recorded sent content smell, which Reins does not know; it was ignored.",
    ]);
  });

  test("does not collect an overlong message, which the core ends itself", () => {
    const events = translate([
      ...Array.from({ length: 3 }, () => say("x".repeat(500_000))),
      say("y", { messageId: "2" }),
    ]);
    expect(only(events, "message.delta")).toHaveLength(4);
    expect(only(events, "message.completed")).toMatchObject([{ text: "y" }]);
  });

  test("reports an image alone as a message without text", () => {
    const content = { type: "image", mimeType: "image/png" };
    const events = translate([{ sessionUpdate: "agent_message_chunk", content }]);
    expect(only(events, "message.completed")).toMatchObject([{ text: "", content: [{ type: "image" }] }]);
  });
});

describe("calls", () => {
  test("starts a call when its input is known", () => {
    const events = translate([
      call({ title: "bash", kind: "execute", status: "pending", rawInput: { cwd: "/w" } }),
      update({ status: "in_progress", rawInput: { command: "ls", cwd: "/w" } }),
      update({ status: "in_progress", rawInput: { command: "ls", cwd: "/w" } }),
      update({ status: "completed", rawOutput: { output: "a", metadata: { exit: 0 } } }),
    ]);
    expect(only(events, "tool.started", "tool.progress", "tool.completed")).toMatchObject([
      { type: "tool.started", tool: "shell", nativeName: "bash", title: "Run ls" },
      { type: "tool.completed", output: { text: "a", bytes: 1, kept: 1 }, exitCode: 0 },
    ]);
  });

  test("reports fields that change later, and no repetition", () => {
    const locations = [{ path: "/workspace/app/a.txt", line: 3 }];
    const events = translate([
      call({ name: "edit", kind: "edit", status: "in_progress", title: "Editing" }),
      update({ rawInput: { path: "a.txt" }, locations }),
      update({ rawInput: { path: "a.txt" }, locations, title: "Editing a.txt" }),
    ]);
    expect(only(events, "tool.progress")).toEqual([
      {
        type: "tool.progress",
        callId: "c",
        parent: undefined,
        title: "Edit a.txt",
        input: { path: "a.txt" },
        locations,
      },
    ]);
  });

  test("reports only the new part of growing output", () => {
    const content = (text: string) => [{ type: "content", content: { type: "text", text } }];
    const events = translate([
      call({ kind: "execute", status: "in_progress", content: content("a") }),
      ...["ab", "ab", "x", "abcd"].map((text) => update({ content: content(text) })),
      update({ status: "completed", content: content("abcd") }),
    ]);
    expect(only(events, "tool.progress").map((event) => "output" in event && event.output)).toEqual(["a", "b", "cd"]);
    expect(only(events, "tool.completed")).toMatchObject([{ output: { text: "abcd" } }]);
  });

  test("reports no output for a call that does not run yet", () => {
    const content = [{ type: "content", content: { type: "text", text: "Prints hi" } }];
    const events = translate([call({ kind: "execute", rawInput: { command: "echo hi" }, content })]);
    expect(only(events, "tool.progress")).toEqual([]);
  });

  test("starts and ends a call whose first update is its end, and ignores later updates", () => {
    const events = translate([
      update({
        status: "completed",
        kind: "read",
        title: "seed.txt",
        locations: [{ path: "/workspace/app/seed.txt" }],
      }),
      update({ status: "failed" }),
      update({ title: "again" }),
    ]);
    expect(only(events, "tool.started", "tool.completed", "tool.failed", "tool.progress")).toMatchObject([
      { type: "tool.started", tool: "read", title: "Read seed.txt", nativeName: "read" },
      { type: "tool.completed" },
    ]);
  });

  test("reports a call that never started at the end of the turn", () => {
    const events = translate([call({ title: "write", kind: "edit", rawInput: {} })]);
    expect(only(events, "tool.started")).toMatchObject([{ tool: "write", title: "Write a file", nativeName: "write" }]);
  });

  test("reports a call without an id as a notice", () => {
    const events = translate([{ sessionUpdate: "tool_call", title: "x" }]);
    expect(only(events, "notice", "tool.started")).toMatchObject([{ code: "unparsed" }]);
  });

  test("reports a failure as cancelled while the turn is being cancelled", () => {
    const translator = translatorOf();
    const out: AgentEvent[] = [];
    translator.prompted();
    translator.update(call({ kind: "execute" }), out);
    translator.cancelling = true;
    translator.update(update({ status: "failed" }), out);
    expect(only(out, "tool.failed")).toMatchObject([
      { reason: "cancelled", error: { message: "The tool failed without a message." } },
    ]);
    expect(only(translate([call({ kind: "execute" }), update({ status: "cancelled" })]), "tool.failed")).toMatchObject([
      { reason: "cancelled" },
    ]);
  });

  test("reports changed files from the last diffs of a successful call", () => {
    const diff = (oldText: string | null, newText: string, path = "/workspace/app/a.txt") => ({
      type: "diff",
      path,
      oldText,
      newText,
    });
    const done = (content: object[], more: object = {}) =>
      only(translate([call({ kind: "edit", ...more }), update({ status: "completed", content })]), "file.changed");
    expect(done([diff("a\n", "b\n"), diff(null, "c\n", "/elsewhere/c.txt")])).toMatchObject([
      { path: "a.txt", op: "modify", added: 1, removed: 1, callId: "c", diff: expect.stringContaining("-a\n+b\n") },
      { path: "/elsewhere/c.txt", op: "create", added: 1, removed: 0 },
    ]);
    expect(done([diff("a\n", "")], { kind: "delete" })).toMatchObject([{ path: "a.txt", op: "delete", removed: 1 }]);
    expect(done([diff("a\n", "a\n")])).toEqual([expect.not.objectContaining({ diff: expect.anything() })]);
    expect(
      done([
        { type: "diff", path: "x" },
        { type: "terminal", terminalId: "t" },
      ]),
    ).toEqual([]);
    const replaced = [call({ kind: "edit", content: [diff("a", "b")] }), update({ status: "completed", content: [] })];
    expect(only(translate(replaced), "file.changed")).toHaveLength(1);
    expect(
      only(
        translate([call({ kind: "edit", content: [diff("a", "b")] }), update({ status: "failed" })]),
        "file.changed",
      ),
    ).toEqual([]);
  });

  test("reports images of an output beside its text", () => {
    const content = [
      { type: "content", content: { type: "image", mimeType: "image/png", data: "AA==" } },
      { type: "content", content: { type: "text", text: "a picture" } },
    ];
    expect(only(translate([call({ status: "completed", content })]), "tool.completed")).toMatchObject([
      { output: { text: "a picture", content: [{ type: "image", bytes: 1 }] } },
    ]);
  });

  test("attributes calls and text of a subagent to its call", () => {
    const quirks = { parent: ({ _meta }: { _meta?: unknown }) => (_meta as { of?: string } | undefined)?.of };
    const events = translate([call({ kind: "read", _meta: { of: "p" } }), say("x", { _meta: { of: "p" } }), say("y")], {
      quirks,
    });
    expect(only(events, "tool.started", "message.completed")).toMatchObject([
      { parent: "p" },
      { parent: "p", text: "x" },
      { parent: undefined, text: "y" },
    ]);
  });
});

describe("session facts", () => {
  test("reports each change once", () => {
    const commands = {
      sessionUpdate: "available_commands_update",
      availableCommands: [{ name: "go" }, {}, { name: "stop", description: "s" }],
    };
    const title = { sessionUpdate: "session_info_update", title: "A title" };
    const model = (currentValue: string) => ({
      sessionUpdate: "config_option_update",
      configOptions: [
        { id: "model", type: "select", currentValue, options: [{ value: "a" }, { value: "b", name: "B" }] },
      ],
    });
    const events = translate([
      commands,
      commands,
      title,
      title,
      model("a"),
      model("a"),
      model("b"),
      { sessionUpdate: "config_option_update" },
    ]);
    expect(only(events, "session.updated")).toEqual([
      { type: "session.updated", commands: [{ name: "go" }, { name: "stop", description: "s" }], by: "agent" },
      { type: "session.updated", title: "A title", by: "agent" },
      { type: "session.updated", model: "a", by: "agent" },
      { type: "session.updated", model: "b", by: "agent" },
    ]);
  });

  test("follows a narrower mode of the agent's choice, warns of a wider one, and only names an unknown one", () => {
    const quirks = { modes: { plan: { id: "plan" }, ask: { id: "default" }, full: { id: "yolo" } } };
    const translator = translatorOf({ quirks });
    const out: AgentEvent[] = [];
    translator.facts.introduced = true;
    translator.facts.settings.opened({
      modes: { currentModeId: "default", availableModes: ["plan", "default", "yolo", "odd"].map((id) => ({ id })) },
    });
    for (const currentModeId of ["yolo", "odd", "plan"])
      translator.update({ sessionUpdate: "current_mode_update", currentModeId }, out);
    expect(out).toMatchObject([
      { type: "notice", code: "divergence" },
      { type: "session.updated", nativeMode: "yolo", mode: "full" },
      { type: "session.updated", nativeMode: "odd" },
      { type: "session.updated", nativeMode: "plan", mode: "plan" },
    ]);
    expect(translator.facts.mode).toBe("plan");
  });

  test("reports nothing of a replayed conversation", () => {
    const translator = translatorOf();
    const out: AgentEvent[] = [];
    translator.replaying = true;
    for (const update of [say("a"), call({ kind: "read" }), { sessionUpdate: "plan", entries: [] }])
      translator.update(update, out);
    translator.update({ sessionUpdate: "agent_message_chunk", content: { type: "image" } }, out);
    expect(out).toEqual([]);
  });

  test("reports late and unknown updates with one notice per kind, for a limited number of kinds", () => {
    const translator = translatorOf({ quirks: { ignored: ["weather"] } });
    const out: AgentEvent[] = [];
    for (const late of [say("a"), say("b"), call({}), { sessionUpdate: "weather" }]) translator.update(late, out);
    expect(out).toMatchObject([{ code: "late" }, { code: "late" }]);
    for (let kind = 0; kind < 500; kind++) translator.update({ sessionUpdate: `kind${kind}` }, out);
    translator.update("no update", out);
    expect(out.length).toBeLessThanOrEqual(100);
  });
});

describe("asides", () => {
  const quirks = {
    aside: (text: string) => {
      if (text.startsWith("Info: Retrying")) return { retrying: { kind: "overloaded", text } };
      if (text.startsWith("Error: ")) return { failure: { kind: "not_authenticated", text: text.slice(7) } };
      return text === "[noise]" ? {} : undefined;
    },
    signInHelp: "Get a key.",
  };

  test("reports a retry, an error and noise without a message", () => {
    const events = translate(
      [say("I "), say("[noise]"), say("Info: Retrying"), say("Info: Retrying"), say("Error: no key")],
      { quirks, failures: plainFailures("recorded", { help: { not_authenticated: "Get a key." } }) },
    );
    expect(only(events, "message.completed")).toMatchObject([{ text: "I " }]);
    expect(only(events, "agent.retrying")).toMatchObject([
      { attempt: 1, error: { code: "overloaded", retryable: true } },
      { attempt: 2 },
    ]);
    expect(events.at(-1)).toMatchObject({
      outcome: "failed",
      error: { code: "not_authenticated", message: "no key", help: "Get a key.", agent: "recorded" },
    });
  });

  test("reports their events outside a turn", () => {
    const notice = { type: "notice", level: "info", code: "x", message: "m" } as const;
    const translator = translatorOf({
      quirks: { aside: () => ({ events: [notice], failure: { kind: "network", text: "" } }) },
    });
    const out: AgentEvent[] = [];
    translator.update(say("x"), out);
    expect(out).toEqual([notice]);
  });

  test.each([
    [true, "cancelled"],
    [false, "failed"],
  ])("reports a denial that ends the turn as cancelled only when the user stopped it (%s)", (stopped, outcome) => {
    const denied = { kind: "permission_denied", text: "It was not allowed." };
    const translator = translatorOf({ quirks: { aside: () => ({ failure: denied }) } });
    const out: AgentEvent[] = [];
    translator.facts.introduced = true;
    translator.prompted();
    translator.cancelling = stopped;
    translator.update(say("No."), out);
    translator.ended({ result: { stopReason: "end_turn" } }, out);
    expect(out.at(-1)).toMatchObject({ type: "turn.ended", outcome });
  });

  test("keeps the outcomes cancelled and refused", () => {
    const failing = [say("Error: no")];
    expect(translate(failing, { quirks }, { stopReason: "cancelled" }).at(-1)).toMatchObject({ outcome: "cancelled" });
    expect(translate(failing, { quirks }, { stopReason: "refusal" }).at(-1)).toMatchObject({
      outcome: "refused",
      error: { code: "refused", message: "no" },
    });
  });
});

test("fails the turn when the answer has no stop reason", () => {
  expect(translate([], {}, {}).at(-1)).toMatchObject({ outcome: "failed", error: { code: "protocol_error" } });
  expect(translate([], {}, null).at(-1)).toMatchObject({ outcome: "failed" });
});

test("ignores updates for calls of the replayed conversation", () => {
  const translator = translatorOf();
  const out: AgentEvent[] = [];
  const old = { toolCallId: "old", title: "shell", kind: "execute", rawInput: { command: "x" } };
  translator.replaying = true;
  translator.update({ sessionUpdate: "tool_call", ...old, status: "pending" }, out);
  translator.replaying = false;
  translator.prompted();
  translator.update({ sessionUpdate: "tool_call_update", toolCallId: "old", status: "failed" }, out);
  expect(out).toEqual([]);
  translator.update({ sessionUpdate: "tool_call", ...old }, out);
  translator.update({ sessionUpdate: "tool_call_update", toolCallId: "old", status: "completed" }, out);
  expect(out.map(({ type }) => type)).toEqual(["tool.started", "tool.completed"]);
});
