import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { agentEventSchema } from "../../events/schema/index.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { Answer } from "../contract.ts";
import type { JsonObject } from "../../protocols/json.ts";
import { claudeRequests } from "./requests.ts";

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "reins-test-"));
  await writeFile(join(cwd, "a.txt"), "one\ntwo\n");
});
afterAll(() => rm(cwd, { recursive: true }));

function openRequests(more: { plan?: string; parents?: Record<string, string> } = {}) {
  const responses = new Map<string, object>();
  const cancelled: string[] = [];
  const refused: string[] = [];
  const requests = claudeRequests({
    cwd,
    parentOf: (callId, agentId) => more.parents?.[callId] ?? more.parents?.[agentId ?? ""],
    planOf: () => more.plan,
    onCancelled: (callId) => cancelled.push(callId),
    respond: (id, response) => void responses.set(id, response),
    refuse: (id) => refused.push(id),
  });
  return {
    cancelled,
    refused,
    received: (id: string, subtype: string) => requests.received({ id, subtype, body: {} }),
    held: (id: string, body: JsonObject) => requests.received({ id, subtype: "hook_callback", body }),
    asked: (id: string, body: JsonObject) => requests.received({ id, subtype: "can_use_tool", body }),
    withdrawn: (id: string) => requests.withdrawn(id),
    /** The message sent to the program; undefined when none is sent. */
    answer: (id: string, answer: Answer): object | undefined => {
      responses.delete(id);
      requests.answer(id, answer);
      return responses.get(id);
    },
  };
}

/** The only event, checked against the schema. */
function only<Type extends AgentEvent["type"]>(events: readonly AgentEvent[], type: Type) {
  expect(events.map((event) => event.type)).toEqual([type]);
  agentEventSchema.parse(events[0]);
  return events[0] as Extract<AgentEvent, { type: Type }>;
}

/** Requests a tool, answers, and returns the message sent to the program. */
function answered(request: Record<string, unknown>, answer: Answer): object | undefined {
  const permissions = openRequests();
  permissions.asked("r", { tool_use_id: "c", ...request });
  return permissions.answer("r", answer);
}

const hook = (toolName: string, toolInput: unknown, more: object = {}) => ({
  subtype: "hook_callback",
  tool_use_id: "c",
  input: { hook_event_name: "PreToolUse", tool_name: toolName, tool_input: toolInput, tool_use_id: "c", ...more },
});

test("holds the tool of every hook until the policy decides", () => {
  const permissions = openRequests({ parents: { agent7: "task1" } });
  const held = only(permissions.held("r", hook("Bash", { command: "ls" }, { agent_id: "agent7" })), "tool.held");
  expect(held).toMatchObject({ requestId: "r", callId: "c", tool: "shell", nativeName: "Bash", parent: "task1" });
  expect(permissions.answer("r", { decision: "deny", message: "Not today." })).toEqual({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: "Not today.",
    },
  });
  expect(permissions.answer("r", { decision: "allow" })).toBeUndefined();
});

test.for([
  [{ decision: "defer" }, {}],
  [{ decision: "allow" }, { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow" } }],
  [
    { decision: "ask", message: "Why" },
    {
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "ask",
        permissionDecisionReason: "Why",
      },
    },
  ],
] as [Answer, object][])("answers a hold with %o", ([answer, wire]) => {
  const permissions = openRequests();
  permissions.held("r", hook("Write", {}));
  expect(JSON.parse(JSON.stringify(permissions.answer("r", answer)))).toEqual(wire);
});

test("holds the tool of a hook with almost no fields", () => {
  const held = only(openRequests().held("r", {}), "tool.held");
  expect(held).toMatchObject({ callId: "r", tool: "other", input: {} });
});

test("shows the diff of an edit in the permission", () => {
  const input = { file_path: join(cwd, "a.txt"), old_string: "two", new_string: "$& three" };
  const asked = only(
    openRequests().asked("r", {
      tool_name: "Edit",
      input,
      tool_use_id: "c",
      decision_reason: "\x1b[31mcareful\x1b[0m",
    }),
    "permission.requested",
  );
  expect(asked).toMatchObject({ callId: "c", tool: "edit", title: "Edit a.txt", input, reason: "careful" });
  expect(asked.diff).toBe("--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+$& three\n");
});

test.for([
  ["Write", { file_path: "new.txt", content: "x\n" }, "+x"],
  ["Edit", { file_path: "a.txt", old_string: "one", new_string: "1", replace_all: true }, "+1"],
  ["Edit", { file_path: "a.txt", old_string: "missing", new_string: "1" }, undefined],
  ["Edit", { file_path: "." }, undefined],
  ["Write", { file_path: "a.txt" }, undefined],
  ["Write", { content: "x" }, undefined],
  ["Bash", { command: "ls", file_path: "a.txt" }, undefined],
] as [string, { file_path?: string }, string | undefined][])("shows the proposal of %s %o", ([name, given, part]) => {
  const input = given.file_path === undefined ? given : { ...given, file_path: join(cwd, given.file_path) };
  const { diff } = only(openRequests().asked("r", { tool_name: name, input }), "permission.requested");
  if (part === undefined) expect(diff).toBeUndefined();
  else expect(diff).toContain(part);
});

const touch = {
  tool_name: "Bash",
  input: { command: "touch x" },
  permission_suggestions: [
    {
      type: "addRules",
      rules: [{ toolName: "Bash", ruleContent: "touch *" }],
      behavior: "allow",
      destination: "localSettings",
    },
    { type: "addDirectories", directories: ["/w"], destination: "session" },
    { type: "setMode", mode: "acceptEdits", destination: "session" },
    { type: "addRules", rules: [{ toolName: "Read" }], behavior: "allow", destination: "userSettings" },
    { type: "setMode", mode: "bypassPermissions", destination: "session" },
    { type: "addRules", rules: [{ toolName: "Bash" }], behavior: "deny", destination: "session" },
    { type: "somethingNew" },
    "nonsense",
  ],
};

test("offers the agent's suggestions, session scope first, and none that bypasses permissions", () => {
  const { options } = only(openRequests().asked("r", { ...touch, tool_use_id: "c" }), "permission.requested");
  expect(options.map(({ id, kind, scope, rule }) => [id, kind, scope, rule])).toEqual([
    ["allow", "allow_once", "once", undefined],
    ["always-1-session", "allow_always", "session", "Bash(touch *)"],
    ["always-1", "allow_always", "project", "Bash(touch *)"],
    ["always-2", "allow_always", "session", "work in /w"],
    ["always-3", "allow_always", "session", "edits"],
    ["always-4-session", "allow_always", "session", "Read"],
    ["always-4", "allow_always", "user", "Read"],
    ["deny", "reject_once", "once", undefined],
    ["stop", "reject_once", "once", undefined],
  ]);
});

test("offers no rule when the agent suggests none", () => {
  const request = { ...touch, suppress_always_allow_rule: true };
  const { options } = only(openRequests().asked("r", request), "permission.requested");
  expect(options.map(({ id }) => id)).toEqual(["allow", "deny", "stop"]);
});

test.for([
  [{ decision: "allow" }, { behavior: "allow", updatedInput: touch.input }],
  [
    { decision: "allow", changedInput: { command: "ls" } },
    { behavior: "allow", updatedInput: { command: "ls" } },
  ],
  [
    { decision: "allow", always: true },
    {
      behavior: "allow",
      updatedInput: touch.input,
      updatedPermissions: [{ ...(touch.permission_suggestions[0] as object), destination: "session" }],
    },
  ],
  [
    { decision: "allow", optionId: "always-1", always: true },
    { behavior: "allow", updatedInput: touch.input, updatedPermissions: [touch.permission_suggestions[0]] },
  ],
  [{ decision: "deny" }, { behavior: "deny", message: "This was not allowed." }],
  [
    { decision: "deny", message: "No." },
    { behavior: "deny", message: "No." },
  ],
  [
    { decision: "deny", message: "No.", stop: true },
    { behavior: "deny", message: "No.", interrupt: true },
  ],
  [
    { decision: "deny", optionId: "stop" },
    { behavior: "deny", message: "This was not allowed.", interrupt: true },
  ],
  // A denial stays a denial, even when it names an allowing option.
  [
    { decision: "deny", optionId: "always-1" },
    { behavior: "deny", message: "This was not allowed." },
  ],
  // An option that was not offered, or that denies, allows nothing.
  [
    { decision: "allow", optionId: "always-9" },
    { behavior: "deny", message: "The chosen option was not offered." },
  ],
  [
    { decision: "allow", optionId: "deny" },
    { behavior: "deny", message: "The chosen option was not offered." },
  ],
] as [Answer, object][])("answers a permission with %o", ([answer, wire]) => {
  expect(JSON.parse(JSON.stringify(answered(touch, answer)))).toEqual(wire);
});

test("runs nothing for a changed input that is not an object", () => {
  expect(answered(touch, { decision: "allow", changedInput: "ls" })).toMatchObject({ behavior: "deny" });
});

test("asks for approval of a plan as a permission that contains the plan", () => {
  const request = { tool_name: "ExitPlanMode", tool_use_id: "c" };
  const given = openRequests().asked("r", { ...request, input: { plan: "# A", planFilePath: "/p" } });
  expect(only(given, "permission.requested")).toMatchObject({
    tool: "plan",
    input: { plan: "# A", planFilePath: "/p" },
  });
  const found = openRequests({ plan: "# B" }).asked("r", { ...request, input: {} });
  expect(only(found, "permission.requested").input).toEqual({ plan: "# B" });
  expect(only(openRequests().asked("r", request), "permission.requested").input).toEqual({ plan: "" });
  expect(answered({ ...request, input: {} }, { decision: "allow", optionId: "allow-edits" })).toEqual({
    behavior: "allow",
    updatedInput: {},
    updatedPermissions: [{ type: "setMode", mode: "acceptEdits", destination: "session" }],
  });
});

const questions = {
  tool_name: "AskUserQuestion",
  input: {
    questions: [
      {
        question: "Which colours?",
        header: "Colours",
        multiSelect: true,
        options: [{ label: "Red", description: "r" }, { label: "Blue" }],
      },
      { question: "How many?", options: "nonsense" },
    ],
  },
};

test("gives questions ids and sends answers under the question texts", () => {
  const asked = only(openRequests().asked("r", { ...questions, tool_use_id: "c" }), "question.requested");
  expect(asked.questions).toMatchObject([
    {
      id: "q1",
      text: "Which colours?",
      header: "Colours",
      multiple: true,
      options: [{ label: "Red" }, { label: "Blue" }],
    },
    { id: "q2", text: "How many?", multiple: false, options: [] },
  ]);
  expect(answered(questions, { decision: "answer", answers: { q1: ["Red", "Blue"], q2: "three", q9: "x" } })).toEqual({
    behavior: "allow",
    updatedInput: { ...questions.input, answers: { "Which colours?": "Red, Blue", "How many?": "three" } },
  });
  expect(answered(questions, { decision: "answer" })).toMatchObject({ updatedInput: { answers: {} } });
  expect(answered(questions, { decision: "skip" })).toEqual({ behavior: "allow", updatedInput: questions.input });
  expect(answered(questions, { decision: "skip", message: "Nobody is there." })).toEqual({
    behavior: "deny",
    message: "Nobody is there.",
  });
});

test("settles a request that the agent withdraws and ignores later answers", () => {
  const permissions = openRequests();
  permissions.asked("p", touch);
  permissions.asked("q", questions);
  permissions.held("h", hook("Write", {}));
  expect(permissions.withdrawn("p")).toEqual([
    { type: "permission.resolved", requestId: "p", outcome: "cancelled", by: "agent" },
  ]);
  expect(permissions.withdrawn("q")).toEqual([
    { type: "question.resolved", requestId: "q", outcome: "cancelled", by: "agent" },
  ]);
  expect(permissions.withdrawn("h")).toEqual([]);
  expect(permissions.withdrawn("p")).toEqual([]);
  for (const id of ["p", "q", "h", "never"]) expect(permissions.answer(id, { decision: "allow" })).toBeUndefined();
});

test("distinguishes a call stopped by a cancelled turn from a denial", () => {
  const requests = openRequests();
  requests.held("h", hook("Bash", { command: "ls" }));
  const cancel: Answer = { decision: "deny", message: "The turn was cancelled.", cancelled: true };
  expect(requests.answer("h", cancel)).toMatchObject({
    hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "The turn was cancelled." },
  });
  expect(requests.cancelled).toEqual(["c"]);
});

test("refuses a request that Reins does not support", () => {
  const requests = openRequests();
  expect(only(requests.received("x", "elicitation"), "notice").message).toBe(
    "Claude Code asked for elicitation, which Reins does not support.",
  );
  expect(requests.refused).toEqual(["x"]);
});
