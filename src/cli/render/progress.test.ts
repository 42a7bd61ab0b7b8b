import { describe, expect, it } from "vitest";
import type { EventPayload, ReinsEvent } from "../../events/types.ts";
import { progressLine } from "./progress.ts";

const event = (payload: EventPayload): ReinsEvent =>
  ({ v: 1, seq: 1, time: "2026-01-01T00:00:00.000Z", sessionId: "s", agent: "x", ...payload }) as ReinsEvent;

const line = (payload: EventPayload, openCalls: readonly string[] = []): string | undefined =>
  progressLine(event(payload), new Set(openCalls))?.text;

const output = { text: "", bytes: 0, kept: 0 };

describe("progressLine", () => {
  it("shows notices and failures", () => {
    expect(line({ type: "notice", level: "warning", code: "x", message: "Careful." })).toContain("Careful.");
    expect(line({ type: "tool.completed", callId: "c", output, exitCode: 2 })).toContain("exit code 2");
    expect(
      line({ type: "permission.resolved", requestId: "r", outcome: "denied", by: "policy", message: "No." }),
    ).toContain("No.");
  });

  it("shows a thought with a mark on every line", () => {
    expect(line({ type: "thought.completed", messageId: "m", text: "one\ntwo\n" })).toBe("│ one\n│ two");
    expect(line({ type: "thought.completed", messageId: "m", text: " \n" })).toBeUndefined();
  });

  it("hides events that the user has seen or caused", () => {
    expect(line({ type: "permission.resolved", requestId: "r", outcome: "denied", by: "person" })).toBeUndefined();
    expect(line({ type: "question.resolved", requestId: "r", outcome: "answered", by: "person" })).toBeUndefined();
    expect(line({ type: "tool.completed", callId: "c", output, exitCode: 0 })).toBeUndefined();
    expect(line({ type: "message.delta", messageId: "m", text: "hi" })).toBeUndefined();
  });

  it("shows a task only when no open call covers it", () => {
    const task: EventPayload = { type: "task.updated", taskId: "t", callId: "c", title: "Build", status: "completed" };
    expect(line(task, ["c"])).toBeUndefined();
    expect(line(task)).toContain("Build: completed");
  });

  it("shows past approvals and added text to a reader who was not there", () => {
    const past = (payload: EventPayload) => progressLine(event(payload), new Set(), "past")?.text;
    expect(past({ type: "permission.resolved", requestId: "r", outcome: "allowed", by: "person" })).toBe(
      "  ✓ allowed by person",
    );
    expect(
      past({ type: "question.resolved", requestId: "r", outcome: "answered", by: "person", answers: { q: ["red"] } }),
    ).toBe("  ✓ answered by person: red");
    expect(past({ type: "input.added", text: "faster", how: "steer" })).toBe("> faster");
  });
});
