import { describe, expect, test } from "vitest";
import { brief } from "../../../test/fixtures/claude/brief.ts";
import briefs from "../../../test/fixtures/claude/briefs.json" with { type: "json" };
import { silent } from "../../../test/fixtures/claude/read.ts";
import { replay, translatorOf } from "../../../test/fixtures/claude/replay.ts";
import type { AgentEvent, AgentEventOf } from "../../events/types.ts";

/** A person compared each of these lines with the recording. */
test.each(Object.entries(briefs))("translates %s to exactly these events", (name, expected) => {
  expect(brief(replay(name).said)).toEqual(expected);
});

function only<Type extends AgentEvent["type"]>(events: readonly AgentEvent[], type: Type): AgentEventOf<Type>[] {
  return events.filter((event): event is AgentEventOf<Type> => event.type === type);
}

const answer = (content: unknown[], more: object = {}) => ({
  type: "assistant",
  message: { id: "msg_1", content },
  parent_tool_use_id: null,
  ...more,
});
const said = (text: string) => ({ type: "text", text });
const stream = (event: object, more: object = {}) => ({
  type: "stream_event",
  event,
  parent_tool_use_id: null,
  api_message_id: "msg_1",
  ...more,
});
const piece = (text: string, index = 0, more: object = {}) =>
  stream({ type: "content_block_delta", index, delta: { type: "text_delta", text } }, more);
const init = (more: object = {}) => ({
  type: "system",
  subtype: "init",
  session_id: "s1",
  model: "m",
  permissionMode: "default",
  tools: ["Bash"],
  ...more,
});
const result = (more: object = {}) => ({ type: "result", subtype: "success", is_error: false, ...more });

describe("messages", () => {
  test("streams an answer and a subagent's answer at the same time", () => {
    const translator = translatorOf();
    const sub = { parent_tool_use_id: "call", api_message_id: "msg_2" };
    const events = [
      piece("a"),
      piece("x", 0, sub),
      piece("b"),
      piece("y", 0, sub),
      answer([said("xy")], { message: { id: "msg_2", content: [said("xy")] }, parent_tool_use_id: "call" }),
      answer([said("ab")]),
    ].flatMap((message) => translator.translate(message));
    expect(brief(events)).toEqual([
      "message m1 + a",
      "c1> message m2 + x",
      "message m1 + b",
      "c1> message m2 + y",
      "c1> message m2 = xy",
      "message m1 = ab",
    ]);
  });

  test("separates pieces without an answer id by their author", () => {
    const translator = translatorOf();
    const nameless = { api_message_id: undefined };
    const start = stream({ type: "message_start", message: { id: "msg_1" } }, nameless);
    const events = [start, piece("a", 0, nameless), piece("b", 0, nameless), answer([said("ab")])];
    expect(brief(events.flatMap((message) => translator.translate(message)))).toEqual([
      "message m1 +2 ab",
      "message m1 = ab",
    ]);
  });

  test("accepts the whole text after the end of the stream", () => {
    const translator = translatorOf();
    const events = [
      piece("ab"),
      stream({ type: "content_block_stop", index: 0 }),
      stream({ type: "message_stop" }),
      answer([said("ab")]),
    ];
    expect(brief(events.flatMap((message) => translator.translate(message)))).toEqual([
      "message m1 + ab",
      "message m1 = ab",
    ]);
  });

  test("discards unconfirmed blocks of an answer when the agent retries", () => {
    for (const again of [
      stream({ type: "message_start", message: { id: "msg_2" } }, { api_message_id: "msg_2" }),
      { type: "system", subtype: "api_retry" },
    ]) {
      const translator = translatorOf();
      translator.translate(piece("half"));
      expect(translator.translate(again)[0]).toMatchObject({
        type: "message.discarded",
        messageId: "m1",
        reason: "retry",
      });
    }
  });

  test("ignores a late piece of a text already completed", () => {
    const translator = translatorOf();
    translator.translate(piece("a"));
    expect(brief(translator.translate(answer([said("ab")])))).toEqual(["message m1 = ab"]);
    expect(translator.translate(piece("b"))).toEqual([]);
    expect(translator.translate(answer([said("ab")]))).toEqual([]);
  });

  test("ends an open message when the same author begins the next one, whatever the block indexes are", () => {
    const translator = translatorOf();
    const events = [piece("a", 0), piece("b", 1), piece("c", 0), stream({ type: "message_stop" })];
    expect(brief(events.flatMap((message) => translator.translate(message)))).toEqual([
      "message m1 + a",
      "message m1 = a",
      "message m2 + b",
      "message m2 = b",
      "message m3 + c",
      "message m3 = c",
    ]);
  });

  test("ignores the end of an answer that never began", () => {
    expect(translatorOf().translate(stream({ type: "message_stop" }))).toEqual([]);
  });

  test("discards invalid blocks, all of them when none is named", () => {
    const translator = translatorOf();
    translator.translate(piece("a"));
    expect(brief(translator.translate(stream({ type: "message_stop" }, { abandoned_blocks: {} })))).toEqual([
      "message m1 discarded: retry",
    ]);
  });

  test("abandons the streaming answer when another one arrives", () => {
    const translator = translatorOf();
    translator.translate(piece("half"));
    const other = answer([], { message: { id: "msg_2", content: [said("whole")] } });
    expect(brief(translator.translate(other))).toEqual(["message m1 discarded: retry", "message m2 = whole"]);
  });

  test("keeps the shown text of an interrupted answer that is reported shorter", () => {
    const translator = translatorOf();
    translator.translate(piece("tick tock"));
    expect(translator.translate(answer([said("tick")], { aborted: true }))).toMatchObject([
      { type: "message.completed", text: "tick tock" },
    ]);
  });

  test("completes streaming text when the turn ends", () => {
    const translator = translatorOf();
    translator.translate(piece("half"));
    expect(brief(translator.translate(result()))).toEqual(["message m1 = half", "ended done"]);
  });

  test("accepts a block that begins with text", () => {
    const translator = translatorOf();
    const start = stream({ type: "content_block_start", index: 0, content_block: { type: "text", text: "a" } });
    const thought = stream({
      type: "content_block_start",
      index: 1,
      content_block: { type: "thinking", thinking: "b" },
    });
    expect(brief([start, thought].flatMap((message) => translator.translate(message)))).toEqual([
      "message m1 + a",
      "thought m2 + b",
    ]);
  });

  test("ignores empty and hidden blocks, echoes and ends of blocks", () => {
    const translator = translatorOf();
    for (const message of [
      answer([said(""), { type: "thinking", thinking: "" }, { type: "redacted_thinking", data: "…" }]),
      piece(""),
      stream({ type: "content_block_stop", index: 0 }),
      stream({ type: "ping" }),
      stream({ type: "content_block_delta", index: 0, delta: null }),
      { type: "user", message: { role: "user", content: "hello" }, isReplay: true },
      { type: "user", message: { role: "user", content: [said("[Request interrupted by user]")] } },
      { type: "control_request", request_id: "r", request: { subtype: "can_use_tool" } },
      { type: "control_response" },
      { type: "control_cancel_request" },
    ]) {
      expect(translator.translate(message)).toEqual([]);
    }
  });

  test("reports the output of a local command as a message when there is no other", () => {
    const translator = translatorOf();
    expect(brief(translator.translate(result({ local_command: "cost", result: "Nothing so far." })))).toEqual([
      "message m1 = Nothing so far.",
      "ended done",
    ]);
    expect(brief(translator.translate({ type: "system", subtype: "local_command_output", content: "Here." }))).toEqual([
      "message m2 = Here.",
    ]);
  });

  test("starts messageIds with the caller's prefix", () => {
    expect(translatorOf({ prefix: "leg2-" }).translate(piece("a"))).toMatchObject([{ messageId: "leg2-m1" }]);
  });
});

describe("session", () => {
  test("reports only changes at a later introduction", () => {
    const translator = translatorOf();
    expect(only(translator.translate(init()), "session.started")).toHaveLength(1);
    expect(translator.session.state).toBe("claude:1:s1");
    expect(translator.translate(init())).toEqual([]);
    expect(translator.translate(init({ tools: ["Bash", "Read"], model: "n" }))).toEqual([
      { type: "session.updated", by: "agent", model: "n", tools: ["Bash", "Read"] },
    ]);
    expect(translator.translate(init({ tools: ["Bash", "Read"], model: "n", session_id: "s2" }))).toEqual([
      { type: "session.updated", by: "agent", state: "claude:1:s2" },
    ]);
    expect(translator.session.state).toBe("claude:1:s2");
  });

  test("credits the person with the model they asked for, in the agent's spelling", () => {
    const translator = translatorOf();
    translator.translate(init());
    translator.session.configure({ model: "haiku" });
    expect(translator.translate(init({ model: "haiku-5" }))).toEqual([
      { type: "session.updated", by: "person", model: "haiku-5" },
    ]);
    expect(translator.translate(init({ model: "opus" }))).toMatchObject([{ by: "agent", model: "opus" }]);
  });

  test("keeps the caller's mode unless the agent changes its own", () => {
    const translator = translatorOf({ mode: "full" });
    const status = (permissionMode: string) =>
      translator.translate({ type: "system", subtype: "status", status: null, permissionMode });
    expect(translator.translate(init())).toMatchObject([{ mode: "full", nativeMode: "default" }]);
    expect(status("acceptEdits")).toMatchObject([{ mode: "edits", nativeMode: "acceptEdits", by: "agent" }]);
    translator.session.configure({ mode: "plan" });
    expect(status("plan")).toEqual([]);
    expect(status("default")).toMatchObject([{ mode: "ask" }]);
    expect(status("auto")).toEqual([{ type: "session.updated", by: "agent", nativeMode: "auto" }]);
    expect(status("bypassPermissions")).toMatchObject([{ mode: "full" }]);
    expect(translator.session.mode).toBe("full");
  });

  test("fills gaps in an introduction from the caller's options", () => {
    const translator = translatorOf({ agentVersion: "2.0.0", resumed: true });
    expect(translator.translate({ type: "system", subtype: "init" })).toMatchObject([
      {
        type: "session.started",
        cwd: "/workspace/app",
        mode: "ask",
        resumed: true,
        agentVersion: "2.0.0",
        state: undefined,
        tools: [],
      },
    ]);
  });

  test("reports a fallback model, a failed compaction and notices for the user", () => {
    const translator = translatorOf();
    const system = (more: object) => brief(translator.translate({ type: "system", ...more }));
    expect(system({ subtype: "model_fallback", fallback_model: "n", trigger: "overloaded" })).toEqual([
      'session by agent {"model":"n","reason":"overloaded"}',
    ]);
    expect(system({ subtype: "model_fallback" })).toEqual([]);
    expect(system({ subtype: "status", status: null, compact_result: "failed", compact_error: "Too short." })).toEqual([
      "notice warning compact: Too short.",
    ]);
    expect(system({ subtype: "informational", level: "error", content: "Bad." })).toEqual([
      "notice error informational: Bad.",
    ]);
    expect(system({ subtype: "compact_boundary" })).toEqual(["compacted unknown undefined to undefined"]);
    expect(system({ subtype: "session_title_changed", title: "T" })).toEqual(['session by agent {"title":"T"}']);
  });
});

describe("unknown messages", () => {
  test("reports each kind once per turn, and counts them at its end", () => {
    const translator = translatorOf();
    const unknown = { type: "brand_new" };
    expect(brief(translator.translate(unknown))).toEqual([
      "notice warning unparsed: Claude Code sent a message of type brand_new, which Reins d…",
    ]);
    expect(translator.translate(unknown)).toEqual([]);
    expect(only(translator.translate(result()), "notice")).toMatchObject([{ code: "unparsed", count: 2 }]);
    expect(translator.translate(unknown)).toHaveLength(1);
    expect(only(translator.translate(result()), "notice")).toEqual([]);
  });

  test.each([
    ["text", "a line that is not JSON"],
    [null, "a line that is not a message"],
    [[], "a line that is not a message"],
    [{ hello: 1 }, "a line that is not a message"],
    [{ type: "system", subtype: "brand_new" }, "a message of type system/brand_new"],
    [{ type: "stream_event" }, "an empty stream_event"],
    [{ type: "stream_event", event: { type: "brand_new" } }, "a stream_event of type brand_new"],
    [{ type: "assistant", message: { content: [{ type: "brand_new" }] } }, "a block of type brand_new"],
  ])("names %j", (message, name) => {
    expect(translatorOf().translate(message)).toMatchObject([
      { type: "notice", code: "unparsed", message: expect.stringContaining(`sent ${name},`) as string },
    ]);
  });

  test("treats an endless number of new kinds as one kind", () => {
    const translator = translatorOf();
    const notices = Array.from({ length: 300 }, (_, index) => translator.translate({ type: `kind${index}` })).flat();
    expect(notices).toHaveLength(101);
  });

  test("does not throw for an unreadable message", () => {
    const message = {
      get type(): string {
        throw new Error("no");
      },
    };
    expect(translatorOf().translate(message)).toMatchObject([{ type: "notice", code: "unparsed" }]);
  });
});

describe("tools and tasks", () => {
  test("takes the result of a tool at the model's service from the answer", () => {
    const translator = translatorOf();
    const use = { type: "server_tool_use", id: "srv_1", name: "web_search", input: { query: "reins" } };
    const found = { type: "web_search_tool_result", tool_use_id: "srv_1", content: [{ type: "text", text: "found" }] };
    expect(brief(translator.translate(answer([use, found])))).toEqual([
      "call c1 web_search: Search the web: reins",
      "call c1 ok: found",
    ]);
  });

  test("starts and ends a call once and finds it in between", () => {
    const translator = translatorOf();
    const use = answer([{ type: "tool_use", id: "c", name: "Bash", input: { command: "ls" } }], {
      parent_tool_use_id: "p",
    });
    const end = {
      type: "user",
      parent_tool_use_id: "p",
      message: { content: [{ type: "tool_result", tool_use_id: "c", content: "x" }] },
    };
    expect(translator.translate(use)).toHaveLength(1);
    expect(translator.calls.find("c")).toMatchObject({ call: { nativeName: "Bash" }, parent: "p" });
    expect(translator.translate(use)).toEqual([]);
    expect(translator.translate(end)).toMatchObject([{ type: "tool.completed", callId: "c", parent: "p" }]);
    expect(translator.calls.find("c")).toBeUndefined();
    expect(translator.translate(end)).toEqual([]);
    expect(translator.translate(use)).toEqual([]);
  });

  test("ignores a call without an id and accepts one without a name or input", () => {
    const translator = translatorOf();
    expect(translator.translate(answer([{ type: "tool_use", name: "Bash" }]))).toEqual([]);
    expect(translator.translate(answer([{ type: "tool_use", id: "c" }]))).toMatchObject([
      { nativeName: "unknown", tool: "other", input: {} },
    ]);
    expect(
      translator.translate({ type: "user", message: { content: [{ type: "tool_result", content: "x" }] } }),
    ).toEqual([]);
    expect(translator.translate({ type: "system", subtype: "permission_denied" })).toEqual([]);
  });

  test("reports a call that a cancel stopped as cancelled although the agent says denied", () => {
    const translator = translatorOf();
    translator.calls.stopped("c", "cancelled");
    translator.translate({ type: "system", subtype: "permission_denied", tool_use_id: "c" });
    const content = [{ type: "tool_result", tool_use_id: "c", content: "No.", is_error: true }];
    expect(translator.translate({ type: "user", message: { content } })).toMatchObject([
      { type: "tool.failed", callId: "c", reason: "cancelled" },
    ]);
  });

  test("reports the end of a call whose start was not seen", () => {
    const end = { type: "user", message: { content: [{ type: "tool_result", tool_use_id: "c", content: "x" }] } };
    expect(translatorOf().translate(end)).toMatchObject([{ type: "tool.completed", callId: "c" }]);
  });

  test("assigns a structured result to no call when several calls ended", () => {
    const translator = translatorOf();
    const write = (id: string) => ({ type: "tool_use", id, name: "Write", input: { file_path: id } });
    const done = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "File created" });
    translator.translate(answer([write("a"), write("b")]));
    const events = translator.translate({
      type: "user",
      message: { content: [done("a"), done("b")] },
      tool_use_result: { filePath: "z" },
    });
    expect(only(events, "file.changed").map((event) => event.path)).toEqual(["a", "b"]);
  });

  test("reports an error in place of a subagent's answer as a notice of that subagent", () => {
    const translator = translatorOf();
    const failed = answer([said("API Error: 529 Overloaded")], {
      parent_tool_use_id: "p",
      error: "overloaded",
      is_api_error_message: true,
    });
    expect(brief(translator.translate(failed))).toEqual(["c1> notice warning overloaded: 529 Overloaded"]);
  });
});

describe("process exit", () => {
  test.each(silent)("ends %s with the right outcome", (name) => {
    const [exit, ended] = replay(name).said;
    expect(exit).toMatchObject({ type: "process.exited" });
    expect(ended).toMatchObject({ type: "turn.ended", outcome: "failed" });
  });

  test("is no failure without a turn", () => {
    expect(brief(translatorOf().exited({ code: 0, signal: null }, ""))).toEqual(["exit 0"]);
  });

  test("is a failure during a turn of the agent's own", () => {
    const translator = translatorOf();
    expect(translator.busy).toBe(false);
    translator.translate(piece("a"));
    expect(translator.busy).toBe(true);
    expect(brief(translator.exited({ code: 0, signal: null }, ""))).toEqual([
      "message m1 = a",
      "exit 0",
      "ended failed agent_crashed: Claude Code ended without a result.",
    ]);
    expect(translator.busy).toBe(false);
  });

  test("reports an earlier error in place of an answer as the reason", () => {
    const translator = translatorOf();
    translator.prompted();
    translator.translate(answer([said("Not logged in")], { error: "authentication_failed" }));
    expect(brief(translator.exited({ code: 1, signal: null }, ""))).toEqual([
      "exit 1",
      "ended failed not_authenticated: Not logged in",
    ]);
  });

  test("reports a program that printed only garbage as not the agent", () => {
    const translator = translatorOf();
    translator.prompted();
    translator.translate("Welcome!");
    translator.translate("Bye!");
    expect(only(translator.exited({ code: 0, signal: null }, ""), "turn.ended")).toMatchObject([
      { error: { code: "protocol_error" } },
    ]);
  });

  test("ends the turn at a result unless it is the result of a part", () => {
    const translator = translatorOf();
    const used = (inputTokens: number) => ({
      model_usage_since_last_result: { m: { inputTokens, outputTokens: 1, costUSD: 1 } },
    });
    translator.prompted();
    translator.translate(result(used(10)));
    expect(translator.busy).toBe(false);
    translator.goesOn();
    expect(translator.busy).toBe(true);
    const events = translator.translate(result(used(5)));
    expect(only(events, "usage.updated")).toMatchObject([
      { scope: "turn", tokens: { input: 15, output: 2 }, costUsd: 2 },
      { scope: "session", tokens: { input: 15 } },
    ]);
    expect(only(events, "turn.ended")).toMatchObject([{ usage: { input: 15, output: 2 }, costUsd: 2 }]);
    expect(translator.busy).toBe(false);
  });
});
