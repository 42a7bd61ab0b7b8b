import { expect, test } from "vitest";
import { translatorOf } from "../../../test/fixtures/codex/replay.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { Answer, PermissionAnswer } from "../contract.ts";
import { CodexRequests } from "./requests.ts";

function asking() {
  const translator = translatorOf({ cwd: "/w" });
  const responded: [string, unknown][] = [];
  let stops = 0;
  const requests = new CodexRequests({
    cwd: "/w",
    translator,
    respond: (id, response) => responded.push([id, response]),
    refuse: (id) => responded.push([id, "refused"]),
    interrupt: () => stops++,
    planAnswered: (answer) => responded.push(["plan", answer]),
  });
  const start = (item: object) => translator.notification("item/started", { item });
  const ask = (method: string, params: object, id = "r") => requests.received({ id, method, params });
  /** The answer on the wire; undefined when none was sent. */
  const answer = (id: string, given: Answer) => {
    const [before, stopsBefore] = [responded.length, stops];
    requests.answer(id, given);
    const [sent] = responded.slice(before);
    return sent && { response: sent[1], stop: stops > stopsBefore };
  };
  return { translator, requests, responded, start, ask, answer };
}

const optionIds = ([event]: readonly AgentEvent[]) =>
  event?.type === "permission.requested" ? event.options.map(({ id }) => id) : [];

const commandParams = {
  itemId: "c",
  command: "/bin/bash -lc 'npm i'",
  reason: "It needs the network.",
  proposedExecpolicyAmendment: ["npm", "i"],
};

test.for([
  [{ decision: "allow" }, "accept"],
  [{ decision: "allow", always: true }, "acceptForSession"],
  [
    { decision: "allow", optionId: "always" },
    { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["npm", "i"] } },
  ],
  [{ decision: "deny" }, "decline"],
  [{ decision: "deny", optionId: "allow" }, "decline"],
  [{ decision: "deny", stop: true }, "cancel"],
  [{ decision: "deny", optionId: "stop" }, "cancel"],
] satisfies [PermissionAnswer, unknown][])("answers a command with %j as %j", ([given, decision]) => {
  const { answer, ask } = asking();
  const [event] = ask("item/commandExecution/requestApproval", commandParams);
  expect(event).toMatchObject({ tool: "shell", title: "Run npm i", reason: "It needs the network." });
  expect(answer("r", given)).toEqual({ response: { decision }, stop: decision === "cancel" });
  expect(answer("r", given)).toBeUndefined();
});

test("names the host to reach and allows it only once", () => {
  const { ask } = asking();
  const asked = ask("item/commandExecution/requestApproval", {
    ...commandParams,
    networkApprovalContext: { host: "x.example" },
  });
  expect(asked[0]).toMatchObject({ title: "Reach x.example: Run npm i" });
  expect(optionIds(asked)).toEqual(["allow", "deny", "stop"]);
});

test("takes the files and the diff of a patch from its item", () => {
  const { start, ask, answer } = asking();
  start({ type: "fileChange", id: "p", changes: [{ path: "/w/a.txt", kind: { type: "add" }, diff: "x\n" }] });
  const asked = ask("item/fileChange/requestApproval", { itemId: "p" });
  expect(asked[0]).toMatchObject({ callId: "p", tool: "write", title: "Write a.txt", locations: [{ path: "a.txt" }] });
  expect((asked[0] as { diff?: string }).diff).toContain("+x");
  expect(answer("r", { decision: "deny" })?.response).toEqual({ decision: "decline" });
});

test("asks about both paths of a patch that moves a file, despite earlier always-answers, and blocks it when denied", () => {
  const { start, ask, answer } = asking();
  const kind = { type: "update", move_path: "/w/b.txt" };
  start({ type: "fileChange", id: "p", changes: [{ path: "/w/a.txt", kind: { type: "add" }, diff: "x\n" }] });
  ask("item/fileChange/requestApproval", { itemId: "p" }, "edit");
  answer("edit", { decision: "allow", always: true });
  start({ type: "fileChange", id: "m", changes: [{ path: "/w/a.txt", kind, diff: "@@ -1 +1 @@\n-x\n+y\n" }] });
  const asked = ask("item/fileChange/requestApproval", { itemId: "m" });
  expect(asked).toMatchObject([
    { callId: "m", tool: "move", title: "Rename a.txt → b.txt", locations: [{ path: "a.txt" }, { path: "b.txt" }] },
  ]);
  expect(answer("r", { decision: "deny" })).toEqual({ response: { decision: "decline" }, stop: false });
});

test("asks about a patch whose item was not seen", () => {
  const { ask } = asking();
  expect(ask("item/fileChange/requestApproval", { itemId: "p" })[0]).toMatchObject({ tool: "edit", callId: "p" });
});

test("finds an MCP tool among the open calls", () => {
  const { start, ask, answer } = asking();
  for (const a of [1, 2]) start({ type: "mcpToolCall", id: `m${a}`, server: "s", tool: "add", arguments: { a } });
  const asked = ask("mcpServer/elicitation/request", {
    serverName: "s",
    message: 'Allow the s MCP server to run tool "add"?',
    _meta: {
      codex_approval_kind: "mcp_tool_call",
      persist: ["session"],
      tool_params: { a: 1 },
      tool_description: "Adds.",
    },
  });
  expect(asked[0]).toMatchObject({ callId: "m1", tool: "mcp", mcp: { server: "s", tool: "add" }, reason: "Adds." });
  expect(optionIds(asked)).toEqual(["allow", "always-session", "deny", "stop"]);
  expect(answer("r", { decision: "allow", always: true })?.response).toEqual({
    action: "accept",
    content: {},
    _meta: { persist: "session" },
  });
});

test("keeps the request of one of two equal MCP calls when the other ends", () => {
  const { start, ask, answer, requests } = asking();
  for (const id of ["m1", "m2"]) start({ type: "mcpToolCall", id, server: "s", tool: "add", arguments: {} });
  const _meta = { codex_approval_kind: "mcp_tool_call", tool_params: {} };
  for (const id of ["a", "b"]) ask("mcpServer/elicitation/request", { serverName: "s", message: "", _meta }, id);
  answer("b", { decision: "allow" });
  const ended = {
    type: "tool.completed",
    callId: "m2",
    output: { text: "", bytes: 0, kept: 0, truncated: false },
  } as const;
  expect(requests.told([ended])).toEqual([ended]);
  expect(answer("a", { decision: "allow" })?.response).toMatchObject({ action: "accept" });
});

test("declines a form of an MCP server and reports that", () => {
  const { ask, responded } = asking();
  expect(ask("mcpServer/elicitation/request", { serverName: "s", mode: "form", _meta: null })).toMatchObject([
    { type: "notice", code: "divergence" },
  ]);
  expect(responded).toEqual([["r", { action: "decline", content: null, _meta: null }]]);
});

test("grants further access exactly as requested, or not at all", () => {
  const { ask, answer } = asking();
  const network = { enabled: true };
  ask("item/permissions/requestApproval", { itemId: "x", permissions: { network, fileSystem: null } });
  expect(answer("r", { decision: "allow" })?.response).toEqual({ permissions: { network }, scope: "turn" });
  ask("item/permissions/requestApproval", { itemId: "x", permissions: { network } });
  expect(answer("r", { decision: "deny" })?.response).toEqual({ permissions: {}, scope: "turn" });
});

test("answers questions by their own ids, or skips them", () => {
  const { ask, answer } = asking();
  const questions = [
    { id: "colour", header: "Colour", question: "Which?", options: [{ label: "Red", description: "r" }] },
  ];
  expect(ask("item/tool/requestUserInput", { itemId: "q", questions })).toMatchObject([
    { type: "tool.started", tool: "question", title: "Ask: Which?" },
    {
      type: "question.requested",
      callId: "q",
      questions: [{ id: "colour", text: "Which?", free: true, multiple: false }],
    },
  ]);
  const answers = { colour: "Red", more: ["a", "b"] };
  expect(answer("r", { decision: "answer", answers })?.response).toEqual({
    answers: { colour: { answers: ["Red"] }, more: { answers: ["a", "b"] } },
  });
  ask("item/tool/requestUserInput", { itemId: "q2", questions });
  expect(answer("r", { decision: "skip" })?.response).toEqual({ answers: {} });
});

test("assigns a subagent's request to its call", () => {
  const { translator, ask } = asking();
  translator.opened("main");
  translator.subagents.started("sub", "s", undefined, "Do it.");
  expect(ask("item/commandExecution/requestApproval", { ...commandParams, threadId: "sub" })[0]).toMatchObject({
    parent: "s",
  });
});

test("resolves a withdrawn request by the agent", () => {
  const { ask, requests } = asking();
  ask("item/commandExecution/requestApproval", commandParams, "a");
  ask("item/tool/requestUserInput", { itemId: "q", questions: [] }, "b");
  expect(requests.withdrawn("a")).toMatchObject([{ type: "permission.resolved", outcome: "cancelled", by: "agent" }]);
  expect(requests.withdrawn("b")).toMatchObject([{ type: "question.resolved" }]);
  expect(requests.withdrawn("a")).toEqual([]);
});

test("withdraws the pending request of a call that ends, and sends no late answer", () => {
  const { start, ask, answer, requests, translator, responded } = asking();
  start({ type: "commandExecution", id: "c", command: "npm i" });
  ask("item/commandExecution/requestApproval", commandParams);
  const item = { type: "commandExecution", id: "c", command: "npm i", status: "failed" };
  expect(requests.told(translator.notification("item/completed", { item }))).toMatchObject([
    { type: "permission.resolved", requestId: "r", outcome: "cancelled", by: "agent" },
    { type: "tool.failed", callId: "c" },
  ]);
  expect(answer("r", { decision: "allow" })).toBeUndefined();
  expect(responded).toEqual([]);
});

test("treats an unknown option as a denial, and answers a cancelled turn with Codex's own cancel", () => {
  const { ask, answer } = asking();
  ask("item/commandExecution/requestApproval", commandParams, "a");
  expect(answer("a", { decision: "allow", optionId: "made-up" })).toEqual({
    response: { decision: "decline" },
    stop: false,
  });
  ask("item/commandExecution/requestApproval", commandParams, "b");
  expect(answer("b", { decision: "deny", cancelled: true })).toEqual({
    response: { decision: "cancel" },
    stop: false,
  });
});
