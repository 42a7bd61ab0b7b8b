import { expect, test } from "vitest";
import { Peer, chat, openCursor as open, settings } from "../../../../test/support/cursor-acp-peer.ts";

test("puts options before the command and the key nowhere", async () => {
  const env = { CURSOR_API_KEY: "crsr_made_up", REINS_CURSOR_SANDBOX: "enabled", REINS_CURSOR_HOOKS: "plugin" };
  const { session, peer, launched, seen } = await open({ directories: ["/further"], model: "alpha-2-low" }, { env });
  expect(launched[0]?.args.slice(1)).toEqual([
    ...["--model", "alpha-2-low", "--add-dir", "/further", "--sandbox", "enabled"],
    ...["--plugin-dir", expect.any(String) as string, "acp"],
  ]);
  expect(launched[0]?.env).toMatchObject({ CURSOR_API_KEY: "crsr_made_up", NO_OPEN_BROWSER: "1" });
  expect(peer.asked("session/new")).toMatchObject([{ mcpServers: [] }]);
  expect(await seen("session.started")).toMatchObject({ model: "alpha-2[effort=low]", nativeMode: "agent" });
  expect(peer.asked("session/set_config_option")).toMatchObject([{ configId: "model", value: "alpha-2[effort=low]" }]);
  expect(session.state).toBeUndefined();
  await session.prompt({ text: "hello" });
  expect(session.state).toBe(`cursor:1:acp:${chat}`);
  await session.close();
});

test.each([
  ["read", "ask"],
  ["plan", "plan"],
  ["ask", "agent"],
  ["edits", "agent"],
  ["full", "agent"],
] as const)("maps mode %s to %s", async (mode, nativeMode) => {
  const { session, peer, seen } = await open({ mode });
  expect(await seen("session.started")).toMatchObject({ mode, nativeMode });
  const chosen = nativeMode === "agent" ? [] : [{ configId: "mode", value: nativeMode }];
  expect(peer.asked("session/set_config_option")).toMatchObject(chosen);
  await session.close();
});

test("looks for a model in the longer list when the session does not list it, and rejects an unknown one", async () => {
  const peer = new Peer();
  peer.answers["cursor/list_available_models"] = () => ({ result: { models: [{ value: "omega[]", name: "Omega" }] } });
  const { session, seen } = await open({}, { peer });
  await session.configure({ model: "omega" });
  expect(peer.asked("session/set_config_option")).toMatchObject([{ value: "omega[]" }]);
  await session.configure({ model: "auto" });
  expect(peer.asked("session/set_config_option")[1]).toMatchObject({ value: "default[]" });
  await expect(session.configure({ model: "nobody" })).rejects.toMatchObject({ code: "model_unknown" });
  await seen("session.started");
  await session.close();
  await expect(open({ model: "nobody" })).rejects.toMatchObject({ code: "model_unknown" });
});

const refusal = { error: { code: -32000, message: "Authentication required" } };
const locked = () => {
  const peer = new Peer();
  const { "session/new": begin } = peer.answers;
  let open = false;
  peer.answers["session/new"] = (params) => (open ? begin!(params) : refusal);
  peer.answers["authenticate"] = () => {
    open = true;
    return { result: {} };
  };
  return peer;
};

test("signs in with existing credentials and opens no browser", async () => {
  const withKey = await open({}, { peer: locked(), env: { CURSOR_API_KEY: "crsr_made_up" } });
  expect(withKey.peer.asked("authenticate")).toEqual([{ methodId: "cursor_login" }]);
  expect(withKey.ran).toEqual(["--version"]);
  const withAccount = await open({}, { peer: locked(), status: '{"isAuthenticated":true}' });
  expect(withAccount.peer.asked("authenticate")).toHaveLength(1);
  const peer = locked();
  const nobody = open({}, { peer, status: '{"isAuthenticated":false}' });
  await expect(nobody).rejects.toMatchObject({
    code: "not_authenticated",
    help: expect.stringContaining("reins login cursor") as string,
  });
  expect(peer.asked("authenticate")).toEqual([]);
  await withKey.session.close();
  await withAccount.session.close();
});

test("loads a session without repeating its messages, and does not try resume", async () => {
  const peer = new Peer();
  peer.answers["session/load"] = () => {
    const text = (words: string) => ({ content: { type: "text", text: words } });
    peer.update(
      { sessionUpdate: "user_message_chunk", ...text("before") },
      { sessionUpdate: "agent_message_chunk", ...text("said before") },
      { sessionUpdate: "tool_call", toolCallId: "old", title: "Read File", kind: "read", status: "completed" },
    );
    peer.print({ method: "cursor/update_todos", params: { todos: [{ id: "1", content: "one", status: "pending" }] } });
    return { result: settings };
  };
  const { session, events, seen } = await open({ state: `cursor:1:print:${chat}` }, { peer });
  expect(await seen("session.started")).toMatchObject({ resumed: true, state: `cursor:1:acp:${chat}` });
  expect(peer.asked("session/load")).toMatchObject([{ sessionId: chat, mcpServers: [] }]);
  expect(peer.asked("session/resume")).toEqual([]);
  await session.prompt({ text: "go on" });
  peer.print({ method: "cursor/update_todos", params: { todos: [{ id: "1", status: "completed" }], merge: true } });
  expect(await seen("plan.updated")).toMatchObject({ entries: [{ text: "one", status: "completed" }] });
  expect(events.map(({ type }) => type)).toEqual(["session.started", "plan.updated"]);
  await session.close();
});

test.each([
  [{ code: -32602, message: `Session "${chat}" not found` }],
  [{ code: -32603, message: "Internal error", data: { details: "gone" } }],
])("reports a session that does not exist: %j", async (error) => {
  const peer = new Peer();
  peer.answers["session/load"] = () => ({ error });
  const opened = open({ state: `cursor:1:acp:${chat}` }, { peer });
  await expect(opened).rejects.toMatchObject({ code: "session_not_found" });
});

const notFound = () => ({ error: { code: -32602, message: `Session "${chat}" not found` } });

test("loads an empty chat if possible, and otherwise starts another and says so", async () => {
  const [first, second] = [new Peer(), new Peer()];
  first.answers["session/load"] = notFound;
  const state = `cursor:1:empty:${chat}`;
  const { session, events, seen } = await open({ state }, { peers: [first, second] });
  expect(await seen("session.started")).toMatchObject({ resumed: false });
  expect(await seen("notice")).toMatchObject({ message: expect.stringContaining("a new one was started") as string });
  expect(events.map(({ type }) => type)).toEqual(["session.started", "notice"]);
  expect([first.asked("session/load"), second.asked("session/load")]).toMatchObject([[{ sessionId: chat }], []]);
  await session.close();
  const loaded = await open({ state });
  expect(await loaded.seen("session.started")).toMatchObject({ resumed: true, state: `cursor:1:acp:${chat}` });
  await loaded.session.close();
});

test("does not resume the latest chat of the folder, and says so once", async () => {
  const env = { REINS_CURSOR_CONTINUE: "1" };
  const { session, events, seen } = await open({}, { env });
  expect((await seen("notice")).message).toContain("REINS_CURSOR_CONTINUE");
  expect(events.map(({ type }) => type)).toEqual(["session.started", "notice"]);
  await session.close();
  const resumed = await open({ state: `cursor:1:acp:${chat}` }, { env });
  await resumed.seen("session.started");
  await resumed.session.close();
  await resumed.over;
  expect(resumed.events.map(({ type }) => type)).not.toContain("notice");
  await expect(open({}, { env: { REINS_CURSOR_CONTINUE: "perhaps" } })).rejects.toMatchObject({
    code: "invalid_input",
  });
});

test.each([
  ["Error: Authentication required. Please run 'agent login' first.", "not_authenticated"],
  ["⚠ Workspace Trust Required\nDo you trust it?", "invalid_input"],
  ["Cannot use this model: nobody. Available models: a, b", "model_unknown"],
  ["Something else", "agent_crashed"],
])("explains an exit at start with %j", async (stderr, code) => {
  const peer = new Peer();
  peer.stderr = stderr;
  peer.exit({ code: 1 });
  await expect(open({}, { peer })).rejects.toMatchObject({ code, agent: "cursor" });
});

test("reports an exit in the middle of a turn", async () => {
  const { session, peer, seen, over } = await open();
  await session.prompt({ text: "go" });
  peer.stderr = "RetriableError: [unavailable] try later\n";
  peer.exit({ code: 1 });
  expect(await seen("turn.ended")).toMatchObject({ outcome: "failed", error: { code: "overloaded" } });
  await over;
});

test("reports an error of the service as the answer to a prompt", async () => {
  const { session, peer, seen } = await open();
  await session.prompt({ text: "go" });
  const { id } = await peer.hears((message) => message["method"] === "session/prompt");
  peer.print({
    id,
    error: { code: -32603, message: "Internal error", data: { message: "You've hit your usage limit" } },
  });
  expect(await seen("turn.ended")).toMatchObject({ outcome: "failed", error: { code: "quota_exhausted" } });
  await session.close();
});

test("does not use ACP with a version that lacks it", async () => {
  const old = { version: "2025.11.20-abcdef" };
  await expect(open({ mode: "ask" }, old)).rejects.toMatchObject({ code: "version_unsupported" });
  const { session, launched } = await open({ mode: "full" }, old);
  expect(launched.flatMap(({ args }) => args)).not.toContain("acp");
  await session.close();
});
