/** Questions and plans: the model asks a person. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { PermissionReply, PermissionRequest } from "../../../src/core/api.ts";
import { scenarioPrompt, type Scenario } from "../../../src/testing/index.ts";
import { all, one } from "../support/events.ts";
import { realAgent } from "../support/real-agent.ts";
import { asked, toldResults } from "./support/requests.ts";

test("passes on the answer to a question", async () => {
  const real = await realAgent("claude");
  const session = await real.session({ onQuestion: ({ questions }) => ({ [questions[0]!.id]: "Blue" }) });
  const { result, events } = await real.turn(session, scenarioPrompt("question"));
  const { questions, callId } = one(events, "question.requested");
  expect(questions).toMatchObject([
    { text: "Which colour?", options: [{ label: "Red" }, { label: "Blue" }], multiple: false },
  ]);
  expect(callId).toBe(one(events, "tool.started").callId);
  expect(one(events, "question.resolved")).toMatchObject({
    outcome: "answered",
    answers: { [questions[0]!.id]: "Blue" },
    by: "person",
  });
  expect(all(events, "permission.requested")).toEqual([]);
  expect(toldResults(real.model).at(-1)).toContain("Blue");
  expect(result.outcome).toBe("done");
});

test("skips a question on request, and when nobody is there", async () => {
  const real = await realAgent("claude");
  const skipped = await real.turn(await real.session({ onQuestion: () => "skip" }), scenarioPrompt("question"));
  expect(one(skipped.events, "question.resolved")).toMatchObject({ outcome: "skipped", by: "person" });
  expect(skipped.result.outcome).toBe("done");
  const alone = await real.turn(await real.session({ mode: "full" }), scenarioPrompt("question"));
  expect(one(alone.events, "question.resolved")).toMatchObject({ outcome: "skipped", by: "deadline" });
  expect(toldResults(real.model).at(-1)).toContain("Nobody is there to answer.");
  expect(alone.result.outcome).toBe("done");
});

test("an approved plan lets the agent edit with permission", async () => {
  const real = await realAgent("claude");
  const requests: PermissionRequest[] = [];
  const onPermission = (request: PermissionRequest): PermissionReply => {
    requests.push(request);
    return "allow";
  };
  const session = await real.session({ mode: "plan", onPermission });
  const { result, events } = await real.turn(session, scenarioPrompt("plan-then-write"));
  expect(requests.map((request) => request.tool)).toEqual(["plan", "write"]);
  expect(requests[0]!.input).toMatchObject({ plan: "# Plan\n\n1. Write the file\n" });
  expect(all(events, "session.updated").filter((event) => event.mode !== undefined)).toMatchObject([
    { mode: "ask", by: "agent" },
  ]);
  expect(existsSync(join(real.cwd, "hello.txt"))).toBe(true);
  expect(result.outcome).toBe("done");
});

test("a plan approved with edits lets the agent edit without asking", async () => {
  const real = await realAgent("claude");
  const session = await real.session({ mode: "plan", onPermission: () => "always" });
  const { events } = await real.turn(session, scenarioPrompt("plan-then-write"));
  expect(one(events, "permission.requested").tool).toBe("plan");
  expect(existsSync(join(real.cwd, "hello.txt"))).toBe(true);
});

test("a denied plan is reported to the model, which stays in plan mode", async () => {
  const real = await realAgent("claude");
  const onPermission = (): PermissionReply => ({ decision: "deny", message: "Think again." });
  const session = await real.session({ mode: "plan", onPermission });
  const { result, events } = await real.turn(session, scenarioPrompt("plan-then-write"));
  expect(toldResults(real.model)[0]).toContain("Think again.");
  expect(all(events, "tool.failed").map((event) => event.reason)).toEqual(["denied", "denied"]);
  expect(existsSync(join(real.cwd, "hello.txt"))).toBe(false);
  expect(result.outcome).toBe("done");
});

const planFile: Scenario = {
  name: "plan-file",
  steps: [
    [{ call: { tool: "write", path: "{arg}", text: "# In a file\n" } }],
    [{ call: { tool: "plan" } }],
    [{ say: "I was told: {lastResult}" }],
  ],
};

test("shows the plan of the agent's own plan file", async () => {
  const real = await realAgent("claude", { scenarios: [planFile] });
  const session = await real.session({ mode: "plan", attended: true });
  await real.turn(session, scenarioPrompt("text"));
  // Only the model is told the path of the plan file.
  const place = /[^\s"`\\]+\/plans\/[^\s"`\\]+\.md/.exec(asked(real.model)[0]!.messages)?.[0];
  expect(place).toBeDefined();
  const turn = session.prompt(scenarioPrompt("plan-file", place));
  const request = await real.when(session, "permission.requested");
  expect(request).toMatchObject({ tool: "plan", input: { plan: "# In a file\n" } });
  turn.answer(request.requestId, "allow");
  expect((await turn.result).text).toContain("approved");
});

const planAndWork: Scenario = {
  name: "plan-and-work",
  steps: [
    [{ call: { tool: "mode" } }],
    [{ call: { tool: "plan", plan: "# Plan\n" } }],
    [{ call: { tool: "write", path: "hello.txt", text: "hello\n" } }],
    [{ say: "I was told: {lastResult}" }],
  ],
};

test("full approves a plan automatically", async () => {
  const real = await realAgent("claude", { scenarios: [planAndWork] });
  const { result, events } = await real.turn(await real.session({ mode: "full" }), scenarioPrompt("plan-and-work"));
  const resolved = all(events, "permission.resolved");
  expect(resolved.filter((event) => event.outcome !== "allowed" || event.by !== "policy")).toEqual([]);
  expect(all(events, "tool.failed")).toEqual([]);
  expect(existsSync(join(real.cwd, "hello.txt"))).toBe(true);
  expect(result.outcome).toBe("done");
});
