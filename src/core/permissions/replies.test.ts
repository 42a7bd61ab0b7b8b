import { expect, test } from "vitest";
import { asks, rest, sessionWith, until } from "../../../test/support/core.ts";
import { createPuppet } from "../../../test/support/puppet.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { PermissionReply } from "../api.ts";
import { chosenOption, questionAnswer } from "./replies.ts";

const wonders: AgentEvent = {
  type: "question.requested",
  requestId: "q",
  questions: [{ id: "colour", text: "Which?", options: [], multiple: false }],
};
const circle: Record<string, unknown> = {};
circle["itself"] = circle;

test.each([{ count: 1n }, circle])(
  "never sends an input that is no JSON to the agent, and denies the tool",
  async (changedInput) => {
    const puppet = createPuppet();
    puppet.onPrompt = (agent) => agent.say(asks);
    const session = await sessionWith(puppet, { onPermission: () => ({ decision: "allow", changedInput }) });
    const told = await until(session.prompt("write"), "notice");
    expect(told.message).toContain("The changed input cannot be written as JSON.");
    await rest();
    expect(puppet.session.answers).toMatchObject([{ requestId: "p1", answer: { decision: "deny" } }]);
  },
);

test("rejects an invalid answer and keeps the request open", async () => {
  const puppet = createPuppet();
  puppet.onPrompt = (agent) => agent.say(asks, wonders);
  const session = await sessionWith(puppet, { attended: true });
  await until(session.prompt("write"), "question.requested");
  expect(() => session.answer("p1", "yes" as PermissionReply)).toThrow("allow, always, deny, stop");
  expect(() => session.answer("p1", { decision: "allow", changedInput: circle })).toThrow("JSON");
  expect(() => session.answer("q", { size: "large" })).toThrow("There is no question size; there are colour.");
  expect(puppet.session.answers).toEqual([]);
  session.answer("p1", "allow");
  session.answer("q", { colour: "blue" });
  expect(puppet.session.answers.map(({ answer }) => answer.decision)).toEqual(["allow", "answer"]);
  expect(() => session.answer("q", "skip")).toThrow("settled already");
});

test("requires an existing option that fits the decision, and an object or skip for a question", () => {
  const options = [
    { id: "y", kind: "allow_once", label: "Yes" },
    { id: "n", kind: "reject_once", label: "No" },
  ] as const;
  expect(chosenOption({ decision: "allow", optionId: "y" }, options)).toBe(options[0]);
  expect(chosenOption({ decision: "deny", always: true }, options)).toBe(options[1]);
  expect(() => chosenOption({ decision: "allow", optionId: "x" }, options)).toThrow("There is no option x");
  expect(() => chosenOption({ decision: "allow", optionId: "n" }, options)).toThrow("does not mean allow");
  expect(questionAnswer("skip", [])).toEqual({ decision: "skip" });
  expect(() => questionAnswer("yes" as "skip", [])).toThrow("by question id, or skip");
});
