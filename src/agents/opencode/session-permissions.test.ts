import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { call, eventually, main, one, prompt, turnOf, types } from "../../../test/fixtures/opencode/stand-in.ts";
import type { Replies } from "../../../test/support/drive.ts";
import type { AgentEventOf } from "../../events/types.ts";

test("holds a call for the policy, and asks a person when the policy leaves it open", async () => {
  const asked: AgentEventOf<"permission.requested">[] = [];
  const permission = (event: AgentEventOf<"permission.requested">) => {
    asked.push(event);
    return { decision: "allow" as const };
  };
  const { child, turn, release } = await call({ permission });
  expect(await release()).toEqual({ decision: "allow" });
  child.tool({
    status: "completed",
    input: { command: "touch x" },
    output: "(no output)",
    metadata: { exit: 0 },
    time: { start: 1, end: 5 },
  });
  child.end();
  const said = await turn;
  expect(asked).toMatchObject([{ tool: "shell", title: "Run touch x", callId: "call_1" }]);
  const order = types(said).filter((type) => /^tool|^permission/.test(type));
  expect(order).toEqual(["tool.started", "tool.held", "permission.requested", "tool.completed"]);
  expect(one(said, "tool.completed")).toMatchObject({ output: { text: "" }, exitCode: 0, durationMs: 4 });
});

test.each([
  ["runs a call that the policy allows", { hold: { decision: "allow" as const } }, "bash", { decision: "allow" }],
  [
    "blocks a call that the policy denies",
    { hold: { decision: "deny" as const, message: "No." } },
    "bash",
    { decision: "deny", message: "No." },
  ],
  ["runs a read-only call", {}, "read", { decision: "allow" }],
  [
    "blocks a call that a person denies",
    { permission: { decision: "deny" as const, message: "Not here." } },
    "bash",
    { decision: "deny", message: "Not here." },
  ],
  [
    "runs a call with the input a person changed",
    { permission: { decision: "allow" as const, changedInput: { command: "pwd" } } },
    "bash",
    { decision: "allow", input: { command: "pwd" } },
  ],
  [
    "blocks a call that a person changed to an invalid input",
    { permission: { decision: "allow" as const, changedInput: 7 } },
    "bash",
    { decision: "deny" },
  ],
])("%s", async (_what, replies: Replies, tool, reply) => {
  const { child, turn, release } = await call(replies, tool, tool === "read" ? { filePath: "a.txt" } : undefined);
  expect(await release()).toMatchObject(reply);
  child.end();
  await turn;
});

test("reports a denied call as denied, whatever the program says", async () => {
  const { child, turn, release } = await call({ permission: { decision: "deny" } });
  await release();
  child.tool({ status: "error", input: {}, error: "It was not allowed." });
  child.end();
  expect(one(await turn, "tool.failed")).toMatchObject({ reason: "denied" });
});

test("ends the turn first and then answers the call when a denial says stop", async () => {
  const { child, turn } = await call({ permission: { decision: "deny", stop: true } });
  await eventually(() => expect(child.methods).toContain(`POST /session/${main}/abort`));
  expect(child.released).toEqual([]);
  child.event("session.error", { sessionID: main, error: { name: "MessageAbortedError", data: {} } });
  child.idle();
  child.tool({ status: "error", input: {}, error: "Tool execution aborted", metadata: { interrupted: true } });
  child.end();
  const said = await turn;
  expect(one(said, "tool.failed")).toMatchObject({ reason: "denied" });
  expect(one(said, "turn.ended")).toMatchObject({ outcome: "cancelled" });
  expect(child.released).toMatchObject([{ result: { decision: "deny" } }]);
});

test("applies always for the rest of the session, and a filter without asking", async () => {
  let asked = 0;
  const permission = () => {
    asked++;
    return { decision: "allow" as const, always: true };
  };
  const { child, turn, drive, release } = await call({ permission });
  await release();
  child.end();
  await turn;
  const second = turnOf(drive, "again", { permission });
  await eventually(() => expect(child.methods.filter((method) => method === prompt)).toHaveLength(2));
  child.begin(2);
  child.event("message.part.updated", {
    part: {
      messageID: "msg_21",
      sessionID: main,
      id: "prt_2",
      type: "tool",
      callID: "call_2",
      tool: "bash",
      state: { status: "running", input: { command: "touch x" } },
    },
  });
  child.hold({ command: "touch x" }, "bash", "call_2");
  await eventually(() => expect(child.released).toHaveLength(2));
  expect(asked).toBe(1);
  child.end(2);
  await second;
  const filtered = await call({}, "bash", { command: "x" }, { tools: { disallowed: ["shell"] } });
  expect(await filtered.release()).toMatchObject({ decision: "deny", message: "The tool bash is not allowed here." });
});

test("asks for its own rules when nobody was asked before, and otherwise answers them", async () => {
  const asked: AgentEventOf<"permission.requested">[] = [];
  const permission = (event: AgentEventOf<"permission.requested">) => {
    asked.push(event);
    return { decision: "deny" as const, message: "Not there." };
  };
  const looked = await call({ permission }, "read", { filePath: "a.txt" });
  await looked.release();
  const native = {
    id: "per_1",
    sessionID: main,
    permission: "external_directory",
    patterns: ["/etc/*"],
    metadata: {},
    tool: { callID: "call_1" },
  };
  looked.child.event("permission.asked", native);
  const reply = "POST /permission/per_1/reply";
  await eventually(() => expect(looked.child.body(reply)).toEqual({ reply: "reject", message: "Not there." }));
  expect(asked).toMatchObject([{ tool: "read", title: "Read a.txt", reason: "It is outside of the workspace." }]);
  looked.child.end();
  await looked.turn;

  const said = await call({ permission: { decision: "allow" } }, "read", { filePath: "/etc/hostname" });
  await said.release();
  said.child.event("permission.asked", native);
  await eventually(() => expect(said.child.body(reply)).toEqual({ reply: "once" }));
  said.child.end();
  expect((await said.turn).filter(({ type }) => type === "permission.requested")).toHaveLength(1);

  const allowed = await call({ hold: { decision: "allow" } });
  await allowed.release();
  allowed.child.event("permission.asked", native);
  await eventually(() => expect(allowed.child.body(reply)).toEqual({ reply: "once" }));
  allowed.child.end();
  await allowed.turn;

  const further = await call({}, "read", { filePath: "/etc/hostname" }, { directories: ["/etc"] });
  await further.release();
  further.child.event("permission.asked", native);
  await eventually(() => expect(further.child.body(reply)).toEqual({ reply: "once" }));
  further.child.end();
  await further.turn;
});

test("does not run a call with a changed input under its own rules", async () => {
  const { child, session, drive, turn, release } = await call({ permission: undefined }, "read", { filePath: "a.txt" });
  await release();
  const about = { sessionID: main, patterns: ["/etc/*"], metadata: {}, tool: { callID: "call_1" } };
  child.event("permission.asked", { id: "per_1", permission: "external_directory", ...about });
  await eventually(() => expect(one(drive.events, "permission.requested")).toMatchObject({ inputChangeable: false }));
  session.answer("per_1", { decision: "allow", changedInput: { filePath: "b.txt" } });
  await eventually(() => expect(child.body("POST /permission/per_1/reply")).toMatchObject({ reply: "reject" }));
  child.end();
  await turn;
});

test("withdraws a permission together with another denial", async () => {
  const { child, turn, release } = await call({ permission: undefined }, "read", { filePath: "a.txt" });
  await release();
  child.event("permission.asked", {
    id: "per_1",
    sessionID: main,
    permission: "external_directory",
    patterns: ["/etc/*"],
    tool: { callID: "call_1" },
  });
  child.event("permission.replied", { sessionID: main, requestID: "per_1", reply: "reject" });
  child.event("permission.replied", { sessionID: main, requestID: "per_other", reply: "reject" });
  child.end();
  const said = await turn;
  // The request may be withdrawn before it was even made.
  for (const event of said)
    if (event.type === "permission.resolved") expect(event).toMatchObject({ requestId: "per_1", by: "agent" });
});

test("answers a question with its options, and also when nobody answers", async () => {
  const questions = [{ question: "Which?", header: "Q", options: [{ label: "Red" }], multiple: true, custom: false }];
  const answered = await call({ question: { decision: "answer", answers: { q1: ["Red"] } } }, "question", {
    questions,
  });
  await answered.release();
  answered.child.event("question.asked", { id: "que_1", sessionID: main, questions, tool: { callID: "call_1" } });
  await eventually(() => expect(answered.child.body("POST /question/que_1/reply")).toEqual({ answers: [["Red"]] }));
  answered.child.end();
  expect(one(await answered.turn, "question.requested")).toMatchObject({
    questions: [{ id: "q1", multiple: true, free: false }],
  });
  const skipped = await call({ question: { decision: "skip", message: "Nobody is there." } }, "question", {
    questions,
  });
  await skipped.release();
  skipped.child.event("question.asked", { id: "que_2", sessionID: main, questions, tool: { callID: "call_1" } });
  await eventually(() =>
    expect(skipped.child.body("POST /question/que_2/reply")).toEqual({ answers: [["Nobody is there."]] }),
  );
  skipped.child.end();
  await skipped.turn;
});

test("asks for approval of a plan before its tool runs, and then not again", async () => {
  const written = ({ cwd }: { cwd: string }) => {
    mkdirSync(join(cwd, ".opencode", "plans"), { recursive: true });
    writeFileSync(join(cwd, ".opencode", "plans", "7-brave-owl.md"), "# Plan\n\n1. Do it\n");
  };
  const replies = { permission: { decision: "allow" as const } };
  const { child, turn, release } = await call(replies, "plan_exit", {}, { mode: "plan" }, written);
  expect(await release()).toEqual({ decision: "allow" });
  const questions = [{ question: "Switch?", header: "Build", options: [{ label: "Yes" }, { label: "No" }] }];
  child.event("question.asked", { id: "que_1", sessionID: main, questions, tool: { callID: "call_1" } });
  await eventually(() => expect(child.body("POST /question/que_1/reply")).toEqual({ answers: [["Yes"]] }));
  child.tool({ status: "completed", input: {}, output: "ok" }, "plan_exit");
  child.end();
  const said = await turn;
  expect(one(said, "permission.requested")).toMatchObject({
    tool: "plan",
    input: { plan: expect.stringMatching(/Do it/) as string },
  });
  expect(said).toContainEqual({ type: "session.updated", mode: "ask", nativeMode: "build", by: "agent" });
});

test("withdraws requests of a call that ends, and sends no late answer", async () => {
  const held = await call({ permission: undefined });
  await eventually(() => expect(one(held.drive.events, "permission.requested")).toBeDefined());
  const { requestId } = one(held.drive.events, "permission.requested")!;
  held.child.tool({ status: "error", input: {}, error: "Tool execution aborted", metadata: { interrupted: true } });
  await eventually(() => expect(one(held.drive.events, "tool.failed")).toBeDefined());
  held.session.answer(requestId, { decision: "allow" });
  held.child.end();
  const said = await held.turn;
  expect(said).toContainEqual({ type: "permission.resolved", requestId, outcome: "cancelled", by: "agent" });
  // The plugin still waits: it is released once, and never with the late allow.
  expect(held.child.released).toMatchObject([{ result: { decision: "deny", message: "The call is over." } }]);

  const ruled = await call({ permission: undefined }, "read", { filePath: "a.txt" });
  await ruled.release();
  const about = { sessionID: main, patterns: ["/etc/*"], metadata: {}, tool: { callID: "call_1" } };
  ruled.child.event("permission.asked", { id: "per_1", permission: "external_directory", ...about });
  await eventually(() => expect(one(ruled.drive.events, "permission.requested")).toBeDefined());
  ruled.child.tool({ status: "error", input: {}, error: "Tool execution aborted" }, "read");
  await eventually(() => expect(one(ruled.drive.events, "tool.failed")).toBeDefined());
  ruled.session.answer("per_1", { decision: "allow" });
  ruled.child.end();
  expect(one(await ruled.turn, "permission.resolved")).toMatchObject({ requestId: "per_1", by: "agent" });
  expect(ruled.child.body("POST /permission/per_1/reply")).toBeUndefined();
});

test("withdraws a hold that is replaced under the same id", async () => {
  const { child, drive, turn } = await call({ permission: undefined });
  await eventually(() => expect(one(drive.events, "permission.requested")).toBeDefined());
  child.hold({ command: "rm x" });
  await eventually(() => expect(one(drive.events, "permission.resolved")).toBeDefined());
  child.end();
  expect(one(await turn, "permission.resolved")).toMatchObject({ outcome: "cancelled", by: "agent" });
  // Both were refused under their common id.
  expect(child.released).toMatchObject([{ result: undefined }]);
});

test("treats a hold under the id of an answered call as the next call", async () => {
  const asked: AgentEventOf<"permission.requested">[] = [];
  const permission = (event: AgentEventOf<"permission.requested">) => {
    asked.push(event);
    return { decision: "allow" as const };
  };
  const { child, turn, release } = await call({ permission });
  await release();
  const params = { tool: "read", sessionID: main, callID: "call_1", input: { filePath: "a.txt" } };
  // The plugin asks before the stream reports the end of the call that had this id first.
  child.print({ jsonrpc: "2.0", id: "hold-next", method: "reins/hold", params });
  child.tool({ status: "completed", input: { command: "touch x" }, output: "", metadata: { exit: 0 } });
  expect(child.released).toHaveLength(1);
  const part = { id: "prt_next", type: "tool", callID: "call_1", tool: "read" };
  child.part({ ...part, state: { status: "running", input: { filePath: "a.txt" } } });
  await eventually(() => expect(child.released).toHaveLength(2));
  expect(child.released[1]).toMatchObject({ result: { decision: "allow" } });
  // Allowing the first call entirely allows nothing of the second.
  const about = { sessionID: main, patterns: ["/etc/*"], metadata: {}, tool: { callID: "call_1" } };
  child.event("permission.asked", { id: "per_1", permission: "external_directory", ...about });
  await eventually(() => expect(child.body("POST /permission/per_1/reply")).toEqual({ reply: "once" }));
  child.end();
  await turn;
  expect(asked.map(({ tool }) => tool)).toEqual(["shell", "read"]);
});
