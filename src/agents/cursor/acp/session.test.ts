import { join } from "node:path";
import { expect, test } from "vitest";
import { chat, openCursor } from "../../../../test/support/cursor-acp-peer.ts";

/** Calls, permissions and questions in the formats that `agent acp` sends. */

const options = [
  { optionId: "allow-once", name: "Allow once", kind: "allow_once" },
  { optionId: "allow-always", name: "Allow always", kind: "allow_always" },
  { optionId: "reject-once", name: "Reject", kind: "reject_once" },
];
const permission = (id: number, toolCall: object) => ({
  id,
  method: "session/request_permission",
  params: { sessionId: chat, toolCall: { status: "pending", ...toolCall }, options },
});
const begins = (toolCallId: string, title: string, kind: string, rawInput: object = {}) => ({
  sessionUpdate: "tool_call",
  ...{ toolCallId, title, kind, rawInput },
  status: "pending",
});
const goesOn = (toolCallId: string, more: object) => ({ sessionUpdate: "tool_call_update", toolCallId, ...more });

async function working(options: Parameters<typeof openCursor>[0] = {}) {
  const opened = await openCursor(options);
  await opened.session.prompt({ text: "go" });
  const answer = async (id: number) => {
    const { result } = await opened.peer.hears((message) => message["id"] === id && !("method" in message));
    return (result as { outcome: unknown }).outcome;
  };
  const end = async () => {
    const { id } = await opened.peer.hears((message) => message["method"] === "session/prompt");
    opened.peer.print({ id, result: { stopReason: "end_turn" } });
    await opened.seen("turn.ended");
    await opened.session.close();
    return opened.events;
  };
  return { ...opened, answer, end };
}

test("reports a rejected command, which Cursor reports as completed, as denied", async () => {
  const { session, peer, seen, answer, end } = await working();
  const id = "call-1\nfc-1";
  const reason = [{ type: "content", content: { type: "text", text: "Not in allowlist: touch" } }];
  peer.update(begins(id, "`touch x`", "execute", { command: "touch x" }), goesOn(id, { status: "in_progress" }));
  peer.print(permission(0, { toolCallId: id, title: "`touch x`", kind: "execute", content: reason }));
  const asked = await seen("permission.requested");
  expect(asked).toMatchObject({ callId: id, tool: "shell", title: "Run touch x", reason: "Not in allowlist: touch" });
  session.answer(asked.requestId, { decision: "deny" });
  expect(await answer(0)).toEqual({ outcome: "selected", optionId: "reject-once" });
  peer.update(goesOn(id, { status: "completed" }));
  const events = await end();
  expect(events.flatMap((event) => (event.type.startsWith("tool.") ? [event] : []))).toMatchObject([
    { type: "tool.started", callId: id, tool: "shell", input: { command: "touch x" } },
    { type: "tool.failed", callId: id, reason: "denied" },
  ]);
});

test("names the server of an MCP tool, which is announced without it, in the permission", async () => {
  const { session, peer, seen, answer, end } = await working();
  const rawInput = { providerIdentifier: "files", toolName: "add", args: { a: 1 } };
  peer.update(begins("m", "MCP: tool", "other"), goesOn("m", { title: "files: add", rawInput }));
  peer.print(permission(1, { toolCallId: "m", title: "files: add", kind: "other" }));
  const asked = await seen("permission.requested");
  expect(asked).toMatchObject({ tool: "mcp", mcp: { server: "files", tool: "add" }, input: rawInput });
  session.answer(asked.requestId, { decision: "allow", always: true });
  expect(await answer(1)).toEqual({ outcome: "selected", optionId: "allow-always" });
  peer.update(goesOn("m", { status: "completed", rawOutput: { content: "3" } }));
  expect(await end()).toContainEqual(expect.objectContaining({ type: "tool.completed", callId: "m" }));
});

test("matches the permission of a search, which has its own id and comes first, to its call", async () => {
  const { session, peer, seen, answer, end } = await working();
  peer.print(permission(2, { toolCallId: "web_search_0", title: "Web search: tides", kind: "search" }));
  const asked = await seen("permission.requested");
  expect(asked).toMatchObject({ tool: "web_search", input: { query: "tides" } });
  session.answer(asked.requestId, { decision: "allow" });
  await answer(2);
  peer.update(
    begins("w", "Web Search", "search"),
    goesOn("w", { rawInput: { searchTerm: "tides" } }),
    goesOn("w", { status: "completed", rawOutput: { content: "High at noon." } }),
  );
  const events = await end();
  const calls = events.flatMap((event) => ("callId" in event && event.type !== "permission.requested" ? [event] : []));
  expect(calls.map(({ type, callId }) => `${type} ${callId}`)).toEqual([
    "tool.started web_search_0",
    "tool.progress web_search_0",
    "tool.completed web_search_0",
  ]);
});

test("reports a new file without the patch header, and a deletion that is requested as an edit", async () => {
  const { session, launched, peer, seen, answer, end } = await working();
  const path = join(launched[0]!.cwd, "new.txt");
  const content = [{ type: "diff", path, oldText: "-- /dev/null", newText: `++ b/${path}\nhello` }];
  peer.update(
    begins("e", "Edit File", "edit"),
    goesOn("e", { title: `Edit \`${path}\``, rawInput: { path }, locations: [{ path }] }),
    goesOn("e", { status: "in_progress" }),
    goesOn("e", { status: "completed", content }),
    begins("d", "Delete File", "delete"),
    goesOn("d", { title: `Delete \`${path}\``, rawInput: { path } }),
  );
  peer.print(permission(3, { toolCallId: "d", title: `Delete \`${path}\``, kind: "edit" }));
  const asked = await seen("permission.requested");
  expect(asked).toMatchObject({ tool: "delete", title: "Delete new.txt" });
  session.answer(asked.requestId, { decision: "deny" });
  await answer(3);
  const events = await end();
  expect(events.find(({ type }) => type === "tool.started")).toMatchObject({ tool: "write", title: "Write new.txt" });
  expect(events.find(({ type }) => type === "file.changed")).toMatchObject({ path: "new.txt", op: "create", added: 1 });
});

test("asks a question and a plan by Cursor's own methods, and cancels pending ones", async () => {
  const { session, peer, seen, answer, end } = await working();
  const questions = [{ id: "q", prompt: "Which?", options: [{ id: "a", label: "A" }] }];
  peer.print({ id: 4, method: "cursor/ask_question", params: { toolCallId: "q", questions } });
  session.answer((await seen("question.requested")).requestId, { decision: "answer", answers: { q: "A" } });
  expect(await answer(4)).toEqual({ outcome: "answered", answers: [{ questionId: "q", selectedOptionIds: ["a"] }] });
  peer.print({
    id: 5,
    method: "_cursor/create_plan",
    params: { toolCallId: "p", name: "Tidy", plan: "# Tidy", todos: [] },
  });
  const asked = await seen("permission.requested");
  expect(asked).toMatchObject({ tool: "plan", input: { plan: "# Tidy" } });
  await session.cancel();
  expect(await answer(5)).toEqual({ outcome: "cancelled" });
  session.answer(asked.requestId, { decision: "allow" });
  expect((await end()).filter(({ type }) => type === "tool.completed")).toEqual([]);
});

test("reports a subagent and an image as calls", async () => {
  const { peer, answer, end } = await working();
  peer.print(
    {
      method: "cursor/task",
      params: { toolCallId: "t", description: "Look around", prompt: "Look.", subagentType: "explore" },
    },
    { id: 6, method: "cursor/task", params: { toolCallId: "t2", description: "Look", prompt: "Look.", durationMs: 5 } },
    { method: "cursor/generate_image", params: { toolCallId: "i", description: "A cat", filePath: "/w/cat.png" } },
  );
  expect(await answer(6)).toEqual({ outcome: "completed", durationMs: 5 });
  peer.update(goesOn("t", { status: "completed", rawOutput: { content: "Nothing." } }));
  const events = await end();
  expect(events.flatMap((event) => (event.type === "tool.started" ? [`${event.tool}: ${event.title}`] : []))).toEqual([
    "task: Task: Look around",
    "task: Task: Look",
    "image: Image: /w/cat.png",
  ]);
  expect(events.filter(({ type }) => type === "tool.completed")).toHaveLength(3);
});

test("remembers always-allowed edits for this session and not in the user's settings", async () => {
  const { session, launched, peer, seen, answer, end } = await working();
  const path = join(launched[0]!.cwd, "new.txt");
  const edit = (id: number, toolCallId: string) => {
    peer.update(begins(toolCallId, "Edit File", "edit", { path }));
    peer.print(permission(id, { toolCallId, title: `Edit \`${path}\``, kind: "edit" }));
  };
  edit(7, "one");
  session.answer((await seen("permission.requested")).requestId, { decision: "allow", always: true });
  expect(await answer(7)).toEqual({ outcome: "selected", optionId: "allow-once" });
  peer.update(goesOn("one", { status: "completed" }));
  edit(8, "two");
  expect(await answer(8)).toEqual({ outcome: "selected", optionId: "allow-once" });
  peer.update(goesOn("two", { status: "completed" }));
  const events = await end();
  expect(events.filter(({ type }) => type === "permission.requested")).toHaveLength(1);
  expect(events.find(({ type }) => type === "turn.ended")).toMatchObject({ outcome: "done" });
});

test("ends the turn after an edit that nobody was asked about", async () => {
  const { launched, peer, end } = await working();
  const path = join(launched[0]!.cwd, "new.txt");
  peer.update(begins("one", "Edit File", "edit", { path }), goesOn("one", { status: "completed" }));
  await peer.hears((message) => message["method"] === "session/cancel");
  expect((await end()).find(({ type }) => type === "turn.ended")).toMatchObject({
    outcome: "failed",
    error: { code: "permission_denied", message: expect.stringContaining("Write new.txt") as string },
  });
});

test("leaves plan mode after an approved plan, so that agent-mode tools may run", async () => {
  const { session, peer, seen, answer, end } = await working({ mode: "plan" });
  peer.print({ id: 9, method: "cursor/create_plan", params: { toolCallId: "p", plan: "# Look around", todos: [] } });
  session.answer((await seen("permission.requested")).requestId, { decision: "allow" });
  expect(await answer(9)).toEqual({ outcome: "accepted" });
  peer.update(
    { sessionUpdate: "current_mode_update", currentModeId: "agent" },
    begins("ls", "`ls`", "execute", { command: "ls" }),
    goesOn("ls", { status: "completed" }),
  );
  expect((await end()).find(({ type }) => type === "turn.ended")).toMatchObject({ outcome: "done" });
});

test("still applies a mode that the program leaves by itself", async () => {
  const { peer, end } = await working({ mode: "plan" });
  peer.update(
    { sessionUpdate: "current_mode_update", currentModeId: "agent" },
    begins("ls", "`ls`", "execute", { command: "ls" }),
    goesOn("ls", { status: "completed" }),
  );
  expect((await end()).find(({ type }) => type === "turn.ended")).toMatchObject({ outcome: "failed" });
});
