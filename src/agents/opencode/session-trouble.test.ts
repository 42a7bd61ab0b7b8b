import { expect, test } from "vitest";
import {
  call,
  eventually,
  main,
  one,
  opened,
  prompt,
  StandInOpencode,
  turnOf,
  types,
} from "../../../test/fixtures/opencode/stand-in.ts";

test("does not end the next turn at the second idle of the previous one", async () => {
  const child = new StandInOpencode();
  const { drive } = await opened(child);
  child.begin();
  child.event("session.error", {
    sessionID: main,
    error: { name: "APIError", data: { message: "No key", statusCode: 401 } },
  });
  child.end(1, { error: { name: "APIError", data: { message: "No key", statusCode: 401 } } });
  expect(one(await turnOf(drive, "one"), "turn.ended")).toMatchObject({
    outcome: "failed",
    error: { code: "not_authenticated" },
  });
  child.idle();
  const second = turnOf(drive, "two");
  await eventually(() => expect(child.methods.filter((method) => method === prompt)).toHaveLength(2));
  child.idle();
  child.begin(2);
  child.end(2);
  expect(one(await second, "turn.ended")).toMatchObject({ outcome: "done" });
});

test("aborts on a cancel, and answers pending requests when the turn has ended", async () => {
  const { child, session, turn, drive } = await call({ permission: undefined });
  await eventually(() => expect(types(drive.events)).toContain("permission.requested"));
  await session.cancel();
  await eventually(() => expect(child.methods).toContain(`POST /session/${main}/abort`));
  child.idle();
  child.tool({ status: "error", input: {}, error: "Tool execution aborted", metadata: { interrupted: true } });
  child.end();
  const said = await turn;
  expect(one(said, "tool.failed")).toMatchObject({ reason: "cancelled" });
  expect(one(said, "turn.ended")).toMatchObject({ outcome: "cancelled" });
  expect(child.released).toMatchObject([{ result: { decision: "deny" } }]);
});

test("does not wait after a cancel for an answer that never ends", async () => {
  const child = new StandInOpencode();
  const { session, drive } = await opened(child);
  const turn = turnOf(drive, "go");
  await eventually(() => expect(child.methods).toContain(prompt));
  child.begin();
  child.say("Half");
  await drive.session.cancel();
  await session.cancel();
  child.idle();
  expect(one(await turn, "turn.ended")).toMatchObject({ outcome: "cancelled" });
  expect(child.methods.filter((method) => method.endsWith("/abort"))).toHaveLength(1);
});

test("reports retries and gives up eventually", async () => {
  const child = new StandInOpencode();
  const { drive } = await opened(child);
  const retry = (attempt: number) =>
    child.event("session.status", {
      sessionID: main,
      status: { type: "retry", attempt, message: "Server error", next: Date.now() + 1 },
    });
  const turn = turnOf(drive, "go");
  await eventually(() => expect(child.methods).toContain(prompt));
  child.begin();
  child.part({ id: "prt_half", type: "text", text: "" });
  child.event("message.part.delta", { partID: "prt_half", field: "text", delta: "Half an ans" });
  retry(1);
  retry(2);
  retry(3);
  await eventually(() => expect(child.methods).toContain(`POST /session/${main}/abort`));
  child.end(1, { error: { name: "MessageAbortedError", data: {} } });
  const said = await turn;
  expect(said.filter(({ type }) => type === "agent.retrying")).toHaveLength(2);
  expect(one(said, "message.discarded")).toMatchObject({ messageId: "prt_half", reason: "retry" });
  expect(one(said, "turn.ended")).toMatchObject({ outcome: "failed", error: { code: "overloaded" } });
});

test.each([
  ["rounds", { maxTurns: 1 }, { outcome: "max_turns" }],
  ["money", { maxBudgetUsd: 0.1 }, { outcome: "budget", error: { code: "budget_exceeded" } }],
])("ends the turn at a limit of %s", async (_what, more, ending) => {
  const child = new StandInOpencode();
  const { drive } = await opened(child, more);
  child.begin();
  child.part({ id: "prt_f", type: "step-finish", reason: "tool-calls", cost: 0.5, tokens: { input: 7, output: 3 } });
  child.end();
  expect(one(await turnOf(drive, "go"), "turn.ended")).toMatchObject(ending);
  expect(child.methods).toContain(`POST /session/${main}/abort`);
});

test("does not summarise a conversation that does not fit over and over", async () => {
  const child = new StandInOpencode();
  const { drive } = await opened(child);
  const overflow = () =>
    child.event("session.error", {
      sessionID: main,
      error: { name: "ContextOverflowError", data: { message: "Too long." } },
    });
  child.begin();
  overflow();
  child.event("session.compacted", { sessionID: main });
  overflow();
  child.end();
  const said = await turnOf(drive, "go");
  expect(one(said, "context.compacted")).toMatchObject({ trigger: "auto" });
  expect(one(said, "turn.ended")).toMatchObject({ outcome: "failed", error: { code: "context_too_long" } });
});

test("reports missed events after the stream reconnects", async () => {
  const child = new StandInOpencode();
  const { drive } = await opened(child);
  const turn = turnOf(drive, "go");
  await eventually(() => expect(child.methods).toContain(prompt));
  child.begin();
  child.part({ id: "prt_text", type: "text", text: "" });
  child.event("message.part.delta", { partID: "prt_text", field: "text", delta: "Half " });
  child.answers[`GET /session/${main}/message?limit=50`] = {
    result: [
      {
        info: { id: "msg_00", sessionID: main, role: "assistant" },
        parts: [{ id: "p", type: "text", text: "Old", messageID: "msg_00", sessionID: main }],
      },
      {
        info: child.answerInfo(1, { time: { completed: 2 }, finish: "stop" }),
        parts: [
          {
            id: "prt_text",
            messageID: "msg_11",
            sessionID: main,
            type: "text",
            text: "Half and half",
            time: { end: 2 },
          },
        ],
      },
    ],
  };
  child.answers["GET /session/status"] = { result: {} };
  child.print({ jsonrpc: "2.0", method: "http/listening", params: { connected: "again" } });
  const said = await turn;
  expect(said.filter(({ type }) => type === "message.completed")).toMatchObject([{ text: "Half and half" }]);
});

test("ends the program when the stream is lost, and fails the turn when the program ends", async () => {
  const child = new StandInOpencode();
  const { session, drive } = await opened(child);
  const turn = turnOf(drive, "go");
  await eventually(() => expect(child.methods).toContain(prompt));
  child.begin();
  child.print({ jsonrpc: "2.0", method: "http/lost", params: { message: "ECONNRESET." } });
  expect(one(await turn, "turn.ended")).toMatchObject({ outcome: "failed", error: { code: "agent_hung" } });
  expect(child.stopped).toBe(1);
  await drive.rest();
  await expect(session.prompt({ text: "more" })).rejects.toMatchObject({ code: "agent_crashed" });

  const killed = new StandInOpencode();
  const other = await opened(killed);
  const failing = turnOf(other.drive, "go");
  await eventually(() => expect(killed.methods).toContain(prompt));
  killed.begin();
  killed.exit({ signal: "SIGKILL" });
  const said = await failing;
  expect(types(said).slice(-2)).toEqual(["process.exited", "turn.ended"]);
  expect(one(said, "turn.ended")).toMatchObject({ outcome: "failed", error: { code: "agent_crashed" } });
});

test("reports an MCP server that cannot be connected in the first turn", async () => {
  const child = new StandInOpencode();
  const { drive } = await opened(child, { mcpServers: { tools: { command: "/nope" } } });
  expect(child.body("POST /mcp")).toEqual({ name: "tools", config: { type: "local", command: ["/nope"] } });
  child.begin();
  child.end();
  expect(one(await turnOf(drive, "go"), "notice")).toMatchObject({
    code: "mcp",
    message: "The MCP server tools is failed: no such file.",
  });
});

test("starts no turn for a refused prompt", async () => {
  const child = new StandInOpencode();
  const { session, drive } = await opened(child);
  const said = drive.until(({ type }) => type === "turn.ended");
  child.answers[prompt] = { error: { code: 400, message: "Bad" } };
  await expect(session.prompt({ text: "go" })).rejects.toMatchObject({ code: "protocol_error" });
  delete child.answers[prompt];
  const taken = session.prompt({ text: "again" });
  await eventually(() => expect(child.methods.filter((method) => method === prompt)).toHaveLength(2));
  child.begin();
  child.end();
  expect(one(await said, "turn.ended")).toMatchObject({ outcome: "done" });
  await taken;
  await session.close();
  await expect(session.prompt({ text: "more" })).rejects.toMatchObject({ code: "invalid_input" });
});

test("aborts a prompt that was cancelled while it was sent", async () => {
  const child = new StandInOpencode();
  const { session, drive } = await opened(child);
  const turn = turnOf(drive, "go");
  await eventually(() => expect(child.methods).toContain(prompt));
  const aborts = () => child.methods.filter((method) => method.endsWith("/abort")).length;
  await session.cancel();
  // Nothing ran that could be aborted: OpenCode reports idle, and then the turn begins.
  child.idle();
  await eventually(() => expect(aborts()).toBe(1));
  child.begin();
  await eventually(() => expect(aborts()).toBe(2));
  child.end(1, { error: { name: "MessageAbortedError", data: {} } });
  expect(one(await turn, "turn.ended")).toMatchObject({ outcome: "cancelled" });
});
