import * as lines from "../../../../test/fixtures/cursor/lines.ts";
import { expect, test } from "vitest";
import { replay, said, translatorOf } from "../../../../test/fixtures/cursor/replay.ts";
import { streams } from "../../../../test/fixtures/cursor/streams.ts";
import { testTranslatorLaws } from "../../../../test/support/translator-laws.ts";
import { wireMessage } from "../../../../test/support/wire-words.ts";
import type { AgentEvent, AgentEventOf } from "../../../events/types.ts";

const of = <Type extends AgentEvent["type"]>(type: Type, events: readonly AgentEvent[]) =>
  events.filter((event): event is AgentEventOf<Type> => event.type === type);
const messages = (events: readonly AgentEvent[]) => of("message.completed", events).map(({ text }) => text);
const fates = (events: readonly AgentEvent[]) =>
  of("tool.started", events).map(({ callId, tool, title }) => {
    const end = events.find(
      (event) => (event.type === "tool.completed" || event.type === "tool.failed") && event.callId === callId,
    );
    return `${tool} ${title}: ${end?.type === "tool.failed" ? end.reason : end?.type === "tool.completed" ? "done" : "open"}`;
  });
const ending = (events: readonly AgentEvent[]) => of("turn.ended", events).at(-1);

testTranslatorLaws({
  translate: (given) => said(given),
  wire: wireMessage({
    words: [
      ...["system", "init", "user", "assistant", "thinking", "delta", "completed", "tool_call", "started", "result"],
      ...["success", "error", "cancelled", "rejected", "retry", "connection", "interaction_query", "text", "a\nb"],
      ...["editToolCall", "readToolCall", "mcp", "1790000000100", "plan", "TODO_STATUS_COMPLETED", '{"a":1}'],
      ...["request", "response", "webSearchRequestQuery"],
    ],
    keys: [
      ...["type", "subtype", "message", "content", "text", "tool_call", "tool", "args", "arguments", "result", "name"],
      ...["readToolCall", "editToolCall", "updateTodosToolCall", "mcpToolCall", "function", "call_id", "toolCallId"],
      ...[
        "session_id",
        "model",
        "model_call_id",
        "timestamp_ms",
        "usage",
        "inputTokens",
        "success",
        "failure",
        "error",
      ],
      ...[
        "rejected",
        "todos",
        "status",
        "path",
        "diffString",
        "exitCode",
        "stdout",
        "is_error",
        "attempt",
        "is_resume",
      ],
      ...["query_type", "query", "response", "webSearchRequestQuery", "webSearchRequestResponse", "approved"],
    ],
    maxKeys: 8,
    maxDepth: 3,
  }),
  wireRuns: 60,
  captures: new Map(Object.entries(streams).map(([name, all]) => [name, { lines: all.map((msg) => ({ msg })) }])),
  replay,
  reach: { damage: 30, cut: 40 },
});

test.for(Object.keys(streams))("finds no unknown message in %s and reports every text once", (name) => {
  const events = said(streams[name]!);
  expect(of("notice", events)).toEqual([]);
  expect(ending(events)).toMatchObject({ outcome: "done" });
  const whole = streams[name]!.at(-1)!["result"];
  expect(messages(events).join("")).toBe(whole);
});

test("builds the message from pieces and ignores the segment that repeats them", () => {
  const events = said(streams["pieces"]!);
  expect(of("message.delta", events).map(({ text }) => text)).toEqual(["Hel", "lo", "."]);
  expect(messages(events)).toEqual(["Hello."]);
});

test("reports tools, changes, the plan and usage", () => {
  const events = said(streams["tools"]!);
  expect(fates(events)).toEqual([
    "read Read notes.txt: done",
    "edit Edit notes.txt: done",
    "write Write new.txt: done",
    "shell Run npm test: done",
    "plan Update the plan: done",
  ]);
  expect(of("file.changed", events)).toMatchObject([
    { path: "notes.txt", op: "modify", added: 1, removed: 0, callId: lines.callId("edit") },
    { path: "new.txt", op: "create", added: 1 },
  ]);
  expect(of("plan.updated", events)).toEqual([
    {
      type: "plan.updated",
      entries: [
        { text: "Look", status: "completed" },
        { text: "Write", status: "in_progress" },
        { text: "Rest", status: "pending" },
      ],
    },
  ]);
  expect(of("thought.completed", events)).toMatchObject([{ text: "I should look." }]);
  expect(of("tool.completed", events)[0]).toMatchObject({ output: { text: "one\n" }, durationMs: 250 });
  const usage = { input: 120, output: 30, cacheRead: 400, cacheWrite: 5 };
  expect(of("usage.updated", events)).toEqual([{ type: "usage.updated", scope: "turn", tokens: usage }]);
  expect(ending(events)).toMatchObject({ usage });
});

test.for([undefined, "much", { inputTokens: 0, outputTokens: "0" }])("does not report the usage %j", (usage) => {
  const events = said([lines.init(), { type: "result", usage }]);
  expect(of("usage.updated", events)).toEqual([]);
  expect(ending(events)?.usage).toBeUndefined();
});

test("treats every segment as new without partial output, even an equal one", () => {
  expect(messages(said(streams["whole"]!))).toEqual(["Looking.", "Looking.", "Done."]);
});

test("reports a rejected call as denied, with or without its start and arguments", () => {
  const events = said(streams["rejected"]!);
  expect(fates(events)).toEqual([
    "shell Run curl example.com: denied",
    "web_fetch Fetch https://example.com: denied",
    "web_search Search the web: rivers: denied",
    "question Ask: Which one?: denied",
  ]);
  expect(of("tool.failed", events).map(({ error }) => error.message)).toEqual([
    expect.stringContaining("cannot ask anybody"),
    expect.stringContaining("cannot ask anybody"),
    expect.stringContaining("cannot ask anybody"),
    "Questions skipped",
  ]);
});

test("reports a query that was answered without a call as a call", () => {
  const { init, query, call, result } = lines;
  const rejected = { rejected: { reason: "User Rejected" } };
  const events = said([
    init(),
    ...query("webSearchRequest", { searchTerm: "rivers", toolCallId: "s" }, rejected),
    ...query("webFetchRequest", { url: "https://example.com" }, { approved: {} }),
    // Only one of these two queries has its call, under an id that the query does not contain.
    ...query("askQuestionInteraction", { title: "Which?" }, { result: rejected }),
    ...query("askQuestionInteraction", { title: "Which?" }, { result: rejected }),
    ...call("ask", "askQuestionToolCall", { title: "Which?" }, rejected),
    ...query("createPlanRequest", { name: "Tidy" }, { result: { success: {} } }).slice(1),
    result(""),
  ]);
  expect(fates(events)).toEqual([
    "question Ask: Which?: denied",
    "web_search Search the web: rivers: denied",
    "web_fetch Fetch https://example.com: open",
    "question Ask: Which?: denied",
    "plan Update the plan: done",
  ]);
  expect(of("notice", events)).toEqual([]);
});

test("counts queries of an unknown type", () => {
  const { init, query, result } = lines;
  const strange = query("launchRocketRequest", { to: "the moon" }, { approved: {} });
  const events = said([init(), ...strange, ...strange, strange[1], { type: "interaction_query" }, result("")]);
  expect(of("notice", events).map(({ code, message, count }) => [code, message, count])).toEqual([
    ["unparsed", expect.stringContaining("a query of type launchRocketRequestQuery"), undefined],
    ["unparsed", expect.stringContaining("a query of type nothing"), undefined],
    ["unparsed", expect.stringContaining("a query of type launchRocketRequestQuery"), 3],
  ]);
});

test("discards text streamed before a retry", () => {
  const events = said(streams["retried"]!);
  expect(of("agent.retrying", events)).toMatchObject([{ attempt: 1, error: { code: "overloaded" } }]);
  expect(of("message.discarded", events)).toMatchObject([{ reason: "retry" }]);
  expect(of("turn.phase", events).map(({ phase }) => phase)).toEqual(["model", "retry", "retry", "model"]);
});

test("continues the text after a retry that resumes", () => {
  const { init, piece, retry, lastSegment, result } = lines;
  for (const again of [retry("starting", 1, true), retry("resuming", 1)])
    expect(
      messages(said([init(), piece("The be"), again, piece("ginning."), lastSegment("The beginning."), result("")])),
    ).toEqual(["The beginning."]);
});

test("reports text only once when it arrives after it was considered lost", () => {
  const { init, piece, retry, lastSegment, result } = lines;
  const events = said([init(), piece("One"), retry("starting", 1), piece(" two"), lastSegment("One two"), result("")]);
  expect(messages(events)).toEqual(["One two"]);
  expect(of("message.discarded", events)).toHaveLength(2);
});

test("adds the rest of a segment longer than its pieces, and nothing for one that repeats the turn", () => {
  const { init, piece, segment, lastSegment, result, call } = lines;
  const read = call("r", "readToolCall", { path: "/w/a" }, { success: { content: "" } });
  expect(messages(said([init(), piece("One"), lastSegment("One two"), result("")]))).toEqual(["One two"]);
  const twice = [
    init(),
    piece("One"),
    segment("One"),
    ...read,
    piece(" two"),
    segment(" two", 1),
    lastSegment("One two"),
  ];
  expect(messages(said([...twice, result("One two")]))).toEqual(["One", " two"]);
});

test("splits the message at thinking between pieces and still recognizes the segment", () => {
  const { init, piece, thinking, thoughtOver, lastSegment, result } = lines;
  const events = said([
    init(),
    piece("One"),
    thinking("Hm."),
    thoughtOver(),
    piece(" two"),
    lastSegment("One two"),
    result(""),
  ]);
  expect(messages(events)).toEqual(["One", " two"]);
});

test("recognizes the repeated segment before each parallel tool", () => {
  const { init, segment, started, result } = lines;
  const events = said([
    init(),
    segment("Both."),
    started("a", "readToolCall", { path: "/w/a" }),
    segment("Both."),
    started("b", "readToolCall", { path: "/w/b" }),
    result("Both."),
  ]);
  expect(messages(events)).toEqual(["Both."]);
});

test("recognizes unmarked pieces by the segment that repeats them", () => {
  const { init, lastSegment, started, result } = lines;
  const events = said([
    init(),
    ...["Hel", "lo", ".", "Hello."].map(lastSegment),
    started("a", "readToolCall", { path: "/w/a" }),
    ...["Hello", ".", "Hello.", "Hello."].map(lastSegment),
    result(""),
  ]);
  expect(messages(events)).toEqual(["Hello.", "Hello."]);
  expect(of("message.delta", events)).toHaveLength(5);
});

test("takes constant time per piece of a long answer", () => {
  const pieces = Array.from({ length: 40_000 }, (_, index) => `and the word ${index} `);
  const events = said([lines.init(), ...pieces.map(lines.lastSegment), lines.lastSegment(pieces.join("").trim())]);
  expect(of("message.delta", events)).toHaveLength(pieces.length);
  expect(messages(events)).toEqual([pieces.join("")]);
});

test("reports a known edit as a change of an existing file without its content", () => {
  const { started, completed } = lines;
  const changed = (args: object) =>
    of(
      "file.changed",
      said([
        started("a", "editToolCall", { path: "/w/a", ...args }),
        completed("a", "editToolCall", undefined, { success: { path: "/w/a", linesAdded: 1 } }),
      ]),
    ).map(({ op }) => op);
  expect(changed({ strReplace: { oldText: "a", newText: "b" } })).toEqual(["modify"]);
  expect(changed({ streamContent: "b" })).toEqual(["create"]);
});

test("pairs calls without ids by name and order in the older format", () => {
  const events = said(streams["old"]!);
  expect(fates(events)).toEqual([
    "read Read notes.txt: done",
    "read Read other.txt: error",
    "shell Run sleep 9: cancelled",
  ]);
  expect(messages(events)).toEqual(["It was."]);
});

test.for([
  [
    { type: "result", subtype: "error", is_error: true, error: "You've hit your usage limit" },
    "failed",
    "quota_exhausted",
  ],
  [{ type: "result", subtype: "error", error: { message: "[unavailable] no" } }, "failed", "overloaded"],
  [{ type: "result", subtype: "success", is_error: true }, "failed", "agent_error"],
  [{ type: "result", subtype: "cancelled" }, "cancelled", undefined],
  [{ type: "result" }, "done", undefined],
] as const)("ends the turn at %j: %s %s", ([end, outcome, code]) => {
  const found = ending(said([lines.init(), end]));
  expect(found).toMatchObject({ outcome });
  expect(found?.error?.code).toBe(code);
});

test("prefers the id of the result, in either spelling", () => {
  const { translator, chat } = translatorOf();
  const [begun] = translator.translate(lines.init());
  expect(begun).toMatchObject({ type: "session.started", modelLabel: "Composer 2.5", nativeMode: "agent, force" });
  expect(chat.state).toBe(`cursor:1:print:${lines.chat}`);
  translator.translate({ type: "thinking", subtype: "delta", text: "Hm.", session_id: "of-a-subagent" });
  expect(chat.id).toBe(lines.chat);
  const events = translator.translate({ type: "result", conversationId: "another-one" });
  expect(chat.id).toBe("another-one");
  expect(of("session.updated", events)).toMatchObject([{ state: "cursor:1:print:another-one", by: "agent" }]);
});

test.for(["session_id", "sessionId", "sessionID", "chat_id", "chatId", "conversation_id", "conversationId"])(
  "accepts the id as %s",
  (name) => {
    const { translator, chat } = translatorOf();
    translator.translate({ type: "assistant", [name]: "abc-1", message: {} });
    expect(chat.id).toBe("abc-1");
  },
);

test("ignores an id that looks like an option", () => {
  const { translator, chat } = translatorOf();
  translator.translate(lines.init({ session_id: "--force" }));
  expect(chat.id).toBeUndefined();
});

test("uses the text of the result when there is no other", () => {
  expect(messages(said([lines.init(), lines.result("All of it.")]))).toEqual(["All of it."]);
});

test("ignores everything after the result", () => {
  const { translator } = translatorOf();
  for (const line of streams["pieces"]!) translator.translate(line);
  expect(translator.over).toBe(true);
  expect(translator.translate(lines.piece("more"))).toEqual([]);
  expect(translator.exited({ code: 143, signal: null }, "")).toEqual([]);
});

test("counts lines that are no messages and continues the turn", () => {
  const [first, ...rest] = streams["pieces"]!;
  const events = said(["T: noise", first, "{broken", 7, null, { type: "brand_new" }, { type: "system" }, ...rest]);
  expect(of("notice", events).map(({ message, count }) => [message, count])).toEqual([
    [expect.stringContaining("a line that is not JSON"), undefined],
    [expect.stringContaining("a line that is not a message"), undefined],
    [expect.stringContaining("a message of type brand_new"), undefined],
    [expect.stringContaining("a system message of kind nothing"), undefined],
    [expect.stringContaining("a line that is not JSON"), 2],
    [expect.stringContaining("a line that is not a message"), 2],
  ]);
  expect(ending(events)).toMatchObject({ outcome: "done" });
});

test("handles calls without a name, of an unknown kind, or reported twice", () => {
  const { init, started, completed, result } = lines;
  const done = completed("a", "readToolCall", { path: "/w/a" }, { success: { content: "x" } });
  const events = said([
    init(),
    { type: "tool_call", subtype: "started", call_id: "c", tool_call: {} },
    { type: "tool_call", subtype: "slowly", tool_call: { readToolCall: {} } },
    started("a", "readToolCall", { path: "/w/a" }),
    started("a", "readToolCall", { path: "/w/a" }),
    done,
    done,
    started("a", "readToolCall", { path: "/w/a" }),
    result(""),
  ]);
  expect(fates(events)).toEqual(["read Read a: done"]);
  expect(of("tool.completed", events)).toHaveLength(1);
  expect(of("notice", events)).toHaveLength(2);
});

test("reports a function as a tool", () => {
  const functionCall = (given: unknown) => ({
    type: "tool_call",
    subtype: "started",
    call_id: String(given),
    tool_call: { function: { name: "read_file", arguments: given } },
  });
  const events = said([
    functionCall('{"path":"/w/a"}'),
    functionCall("{broken"),
    functionCall({ path: "/w/b" }),
    functionCall(undefined),
  ]);
  expect(of("tool.started", events).map(({ title, input }) => [title, input])).toEqual([
    ["Read a", { path: "/w/a" }],
    ["Read a file", { input: "{broken" }],
    ["Read b", { path: "/w/b" }],
    ["Read a file", {}],
  ]);
});

test("reports an edit that never ends", () => {
  const events = said([lines.init(), lines.started("e", "editToolCall", { path: "/w/a" })], { code: 1 });
  expect(fates(events)).toEqual(["edit Edit a: open"]);
});

test.for([
  [{ signal: "SIGKILL", code: null }, "agent_crashed"],
  [{ code: 1, stderr: "RetriableError: [unavailable] no\nRetry attempt 3..." }, "overloaded"],
  [{ code: 1, stderr: '{"type":"assistant","text":"usage limit"}\n' }, "agent_crashed"],
] as const)("classifies a process that ends without a result: %j as %s", ([end, code]) => {
  const events = said([lines.init(), lines.piece("Half a")], end);
  expect(messages(events)).toEqual(["Half a"]);
  expect(events.slice(-2)).toMatchObject([{ type: "process.exited" }, { type: "turn.ended", error: { code } }]);
});

test("explains an exit by other output when stderr is empty", () => {
  expect(ending(said(["T: usage limit reached"], { code: 1 }))?.error?.code).toBe("quota_exhausted");
  expect(ending(said(["hello, I am another program"], { code: 1 }))?.error?.code).toBe("protocol_error");
  expect(ending(said([{ type: "error", message: "[unauthenticated] no" }], { code: 1 }))?.error?.code).toBe(
    "not_authenticated",
  );
});

test("keeps the session after a cancelled turn", () => {
  const events = said([lines.init(), lines.piece("Half a")], { code: 143, cancelled: true });
  expect(of("process.exited", events)).toEqual([]);
  expect(ending(events)).toMatchObject({ outcome: "cancelled" });
});

test("reports messages about background work as notices", () => {
  const events = said([
    { type: "system", subtype: "task_notification", summary: "The server is up." },
    { type: "system", subtype: "background_shell_timeout" },
    { type: "text", text: "again" },
    lines.result("x"),
  ]);
  expect(of("notice", events)).toMatchObject([{ level: "info", code: "agent", message: "The server is up." }]);
});

test("handles a thought that comes only whole, and an empty one", () => {
  const events = said([lines.thoughtOver({ text: "Hm." }), lines.thinking(""), lines.thoughtOver(), lines.result("x")]);
  expect(of("thought.completed", events).map(({ text }) => text)).toEqual(["Hm."]);
});

test("keeps the original message on every event", () => {
  const { translator } = translatorOf(true);
  expect(translator.translate(lines.piece("Hi"))[0]).toHaveProperty("raw.type", "assistant");
});

test("reports 60 MB of tool output as one event", () => {
  const content = "x".repeat(60 * 1024 * 1024);
  const events = said([lines.init(), ...lines.call("r", "readToolCall", { path: "/w/a" }, { success: { content } })]);
  expect(of("tool.completed", events)[0]?.output.bytes).toBe(content.length);
});
