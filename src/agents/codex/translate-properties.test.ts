import { test } from "vitest";
import { captureNames, readMessages, translatorOf } from "../../../test/fixtures/codex/replay.ts";
import { fc } from "../../../test/support/fast-check.ts";
import { agentEventSchema } from "../../events/schema/index.ts";
import { CodexRequests } from "./requests.ts";

const methods = [
  ...new Set(
    captureNames().flatMap((name) =>
      readMessages(name).flatMap(({ method }) => (typeof method === "string" ? [method] : [])),
    ),
  ),
  "turn/plan/updated",
  "rawResponseItem/completed",
  "item/reasoning/textDelta",
  "item/mcpToolCall/progress",
  "model/rerouted",
  "warning",
  "mcpServer/startupStatus/updated",
];
const types = [
  "agentMessage",
  "reasoning",
  "plan",
  "commandExecution",
  "fileChange",
  "mcpToolCall",
  "collabAgentToolCall",
  "subAgentActivity",
  "contextCompaction",
  "webSearch",
  "imageView",
  "dynamicToolCall",
  "function_call",
  "function_call_output",
];
const id = fc.constantFrom("a", "b", "main");
const anyItem = fc.record(
  {
    type: fc.constantFrom(...types),
    id,
    call_id: id,
    tool: fc.constantFrom("spawnAgent", "closeAgent", "wait"),
    status: fc.constantFrom("inProgress", "completed", "failed", "declined"),
    receiverThreadIds: fc.array(id, { maxLength: 2 }),
    agentThreadId: id,
    kind: fc.constantFrom("started", "completed"),
    text: fc.string(),
    output: fc.anything(),
    arguments: fc.anything(),
    changes: fc.anything(),
    commandActions: fc.anything(),
    command: fc.string(),
  },
  { requiredKeys: ["type"] },
);
const anyParams = fc.oneof(
  fc.anything(),
  fc.record(
    {
      threadId: id,
      itemId: id,
      delta: fc.string(),
      item: fc.oneof(anyItem, fc.anything()),
      turn: fc.record({ id, status: fc.constantFrom("completed", "interrupted", "failed"), error: fc.anything() }),
      tokenUsage: fc.anything(),
      error: fc.anything(),
      willRetry: fc.boolean(),
      plan: fc.anything(),
      rateLimits: fc.anything(),
    },
    { requiredKeys: [] },
  ),
);

test("never throws and emits only valid events for any broken notification", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...methods), anyParams), { maxLength: 30 }), (messages) => {
      const translator = translatorOf();
      translator.opened("main");
      translator.prompted();
      for (const [method, params] of messages)
        for (const event of translator.notification(method, params)) agentEventSchema.parse(event);
      for (const event of translator.exited({ code: 1, signal: null }, "")) agentEventSchema.parse(event);
    }),
    { numRuns: 100 },
  );
});

test("never throws for any broken request", () => {
  const asked = [
    "item/commandExecution/requestApproval",
    "item/fileChange/requestApproval",
    "mcpServer/elicitation/request",
    "item/permissions/requestApproval",
    "item/tool/requestUserInput",
    "applyPatchApproval",
  ];
  fc.assert(
    fc.property(fc.constantFrom(...asked), fc.anything(), (method, params) => {
      const translator = translatorOf();
      const nothing = () => {};
      const acts = { respond: nothing, refuse: nothing, interrupt: nothing, planAnswered: nothing };
      const requests = new CodexRequests({ cwd: "/workspace", translator, ...acts });
      for (const event of requests.received({ id: "r", method, params })) agentEventSchema.parse(event);
      requests.answer("r", { decision: "deny" });
    }),
    { numRuns: 100 },
  );
});
