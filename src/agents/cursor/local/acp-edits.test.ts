import { describe, expect, test } from "vitest";
import type { Tool } from "../../../events/tools.ts";
import type { AgentEvent, AgentEventOf } from "../../../events/types.ts";
import { Waiting } from "./acp-edits.ts";

const about = (tool: Tool, callId = "c") => ({ callId, tool, nativeName: tool, title: `Do ${tool}`, input: {} });
const held = (tool: Tool, requestId = "r"): AgentEvent => ({ type: "tool.held", requestId, ...about(tool) });
const asks = (tool: Tool, requestId = "r-ask"): AgentEventOf<"permission.requested"> => ({
  type: "permission.requested",
  requestId,
  ...{ callId: "c", tool, title: "Do it", input: {} },
  options: [{ id: "allow", kind: "allow_once", label: "Allow" }],
});
const completed = (callId = "c"): AgentEvent => ({
  type: "tool.completed",
  callId,
  output: { text: "", bytes: 0, kept: 0 },
});

describe("what waits for a word", () => {
  test("what Cursor would not ask about is asked by Reins; the rest is left to it", () => {
    const waiting = new Waiting();
    for (const [tool, decision] of [
      ["write", "ask"],
      ["edit", "ask"],
      ["shell", "defer"],
      ["read", "defer"],
    ] as const) {
      waiting.asked(held(tool));
      expect(waiting.word("r", { decision: "defer" }, "ask")).toEqual({ decision });
    }
    waiting.asked(held("write"));
    expect(waiting.word("r", { decision: "allow" }, "full")).toEqual({ decision: "allow" });
    // Somebody else's, or answered.
    expect(waiting.word("r", { decision: "defer" }, "ask")).toEqual({ decision: "defer" });
  });

  test.each([[{ always: true }], [{ optionId: "always" }]])("edits are allowed for good, in this mode: %j", (how) => {
    const waiting = new Waiting();
    const asked = waiting.asked(asks("write"));
    expect(asked).toMatchObject({
      options: [{ id: "allow" }, { id: "always", kind: "allow_always", scope: "session" }],
    });
    waiting.word("r-ask", { decision: "allow", ...how }, "ask");
    waiting.asked(held("edit"));
    expect(waiting.word("r", { decision: "defer" }, "ask")).toEqual({ decision: "allow" });
    waiting.asked(held("edit"));
    expect(waiting.word("r", { decision: "defer" }, "plan")).toEqual({ decision: "ask" });
  });

  test("once is once, and of other tools there is no always", () => {
    const waiting = new Waiting();
    expect(waiting.asked(asks("shell"))).toEqual(asks("shell"));
    waiting.word("r-ask", { decision: "allow", always: true }, "ask");
    waiting.asked(asks("write"));
    waiting.word("r-ask", { decision: "allow", always: true, optionId: "deny" }, "ask");
    waiting.asked(held("write"));
    expect(waiting.word("r", { decision: "defer" }, "ask")).toEqual({ decision: "ask" });
  });

  test("what was denied is told as denied until the turn is over", () => {
    const waiting = new Waiting();
    waiting.asked(held("shell"));
    waiting.word("r", { decision: "deny" }, "ask");
    expect(waiting.told(completed())).toMatchObject({ type: "tool.failed", reason: "denied" });
    const failed: AgentEvent = { type: "tool.failed", callId: "c", error: { message: "Blocked." }, reason: "error" };
    expect(waiting.told(failed)).toEqual({ ...failed, reason: "denied", parent: undefined });
    expect(waiting.told(completed("d"))).toEqual(completed("d"));
    waiting.told({ type: "turn.ended", outcome: "done" });
    expect(waiting.told(completed())).toEqual(completed());
  });

  test("what still waits is taken once", () => {
    const waiting = new Waiting();
    waiting.asked(held("write", "a"));
    waiting.asked(held("shell", "b"));
    waiting.word("b", { decision: "allow" }, "ask");
    expect(waiting.takeWaiting()).toEqual(["a"]);
    expect(waiting.takeWaiting()).toEqual([]);
  });
});
