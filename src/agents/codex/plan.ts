/** What became of a plan, for readers and for the model. */
import type { AgentEvent } from "../../events/types.ts";
import { nativeMode } from "./settings.ts";

export function planEvents(callId: string, approved: boolean): AgentEvent[] {
  if (!approved) {
    const error = { message: "The plan was not approved." };
    return [{ type: "tool.failed", callId, error, reason: "denied" }];
  }
  const said = "The plan was approved.";
  const output = { text: said, bytes: said.length, kept: said.length };
  return [
    { type: "tool.completed", callId, output },
    { type: "session.updated", mode: "ask", nativeMode: nativeMode("ask"), by: "agent", reason: said },
  ];
}

export function planAnswer(approved: boolean, message: string): string {
  return approved ? "Implement the plan." : `The plan was not approved; do not carry it out. ${message}`.trim();
}
