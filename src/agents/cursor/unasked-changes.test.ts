import { expect, test } from "vitest";
import type { Mode } from "../../events/modes.ts";
import type { Tool } from "../../events/tools.ts";
import type { AgentEvent, AgentEventOf } from "../../events/types.ts";
import { UnaskedChanges } from "./unasked-changes.ts";

const about = (tool: Tool, callId = "c") => ({ callId, tool, nativeName: tool, title: `Do ${tool}`, input: {} });
const started = (tool: Tool): AgentEvent => ({ type: "tool.started", kind: "edit", ...about(tool) });
const completed = (callId = "c"): AgentEvent => ({
  type: "tool.completed",
  callId,
  output: { text: "", bytes: 0, kept: 0 },
});
const asks = (tool: Tool): AgentEvent => ({
  type: "permission.requested",
  requestId: "r",
  ...about(tool),
  options: [],
});
const over: AgentEventOf<"turn.ended"> = { type: "turn.ended", outcome: "cancelled" };
const nobody = () => false;

const done = (tool: Tool, mode: Mode, { asked = false, isHeld = false } = {}): AgentEventOf<"turn.ended"> => {
  const unasked = new UnaskedChanges();
  for (const event of [started(tool), ...(asked ? [asks(tool)] : []), completed()])
    unasked.hears(event, mode, () => isHeld);
  return unasked.ended(over);
};

test.each([
  ["write", "ask", true],
  ["edit", "ask", true],
  ["delete", "ask", false],
  ["shell", "ask", false],
  ["read", "ask", false],
  ["write", "edits", false],
  ["write", "full", false],
  ["shell", "read", true],
  ["shell", "plan", true],
  ["grep", "read", false],
] as const)("ends the turn for %s in mode %s: %s", (tool, mode, ends) => {
  expect(done(tool, mode)).toMatchObject(
    ends ? { outcome: "failed", error: { code: "permission_denied" } } : { outcome: "cancelled" },
  );
});

test("does not advise a read-only user to allow more", () => {
  expect(done("shell", "read").error).toMatchObject({
    message: "Cursor did this in mode read, which is read-only, and Reins ended the turn: Do shell.",
    help: expect.not.stringContaining("full"),
  });
  expect(done("write", "ask").error).toMatchObject({
    message: "Cursor did this without asking, and Reins ended the turn: Do write.",
    help: expect.stringContaining("edits or full"),
  });
});

test("accepts changes that were asked about or held by a hook, reports once, and forgets with the turn", () => {
  expect(done("write", "ask", { asked: true }).outcome).toBe("cancelled");
  expect(done("write", "ask", { isHeld: true }).outcome).toBe("cancelled");
  const unasked = new UnaskedChanges();
  unasked.hears(started("write"), "ask", nobody);
  expect([completed(), completed()].map((event) => unasked.hears(event, "ask", nobody))).toEqual([true, false]);
  unasked.ended(over);
  expect(unasked.ended({ type: "turn.ended", outcome: "done" }).outcome).toBe("done");
  expect(unasked.hears(completed("unknown"), "ask", nobody)).toBe(false);
});

test.each([
  ["full", "read"],
  ["read", "full"],
] as const)("accepts a call that began in mode %s and ends in %s, when one of them allows it", (before, after) => {
  const unasked = new UnaskedChanges();
  unasked.hears(started("shell"), before, nobody);
  expect(unasked.hears(completed(), after, nobody)).toBe(false);
});
