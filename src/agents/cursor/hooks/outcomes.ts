/** What a hook says came of a call. */
import { isRecord, text } from "../../../drivers/stream-json/read.ts";
import { defaultLimits } from "../../../events/limits.ts";
import type { AgentEvent } from "../../../events/types.ts";
import type { KnownCall, Outcome } from "./calls.ts";

/** It waits until it is known that nobody else tells it: what would be cut anyway is not kept. */
export function outputOf(output: string, durationMs: number | undefined): Outcome {
  return { output: output.slice(0, defaultLimits.inlineBytes), bytes: Buffer.byteLength(output), durationMs };
}

export function failureOf(told: {
  readonly error_message?: string | undefined;
  readonly failure_type?: string | undefined;
  readonly is_interrupt?: boolean | undefined;
}): Outcome {
  const { error_message: failed = "It failed.", failure_type: type, is_interrupt: interrupted } = told;
  if (interrupted === true) return { failed, reason: "cancelled" };
  return { failed, reason: type === "timeout" ? "timeout" : type === "permission_denied" ? "denied" : "error" };
}

/** A result comes as JSON, or as its text. */
export function resultOf(given: unknown): string {
  if (typeof given === "string") {
    const inside = objectIn(given);
    return inside === undefined ? given : resultOf(inside);
  }
  if (!isRecord(given)) return given === undefined || given === null ? "" : JSON.stringify(given);
  const said = [given["stdout"], given["stderr"]].filter((part) => typeof part === "string" && part !== "");
  if (said.length > 0) return said.join("\n");
  const [first] = [given["output"], given["content"], given["contents"], given["text"], given["result"]].flatMap(
    (value) => text(value) ?? [],
  );
  return first ?? JSON.stringify(given);
}

export function endOf({ callId, outcome }: KnownCall): readonly AgentEvent[] {
  if (outcome === undefined) return [];
  if ("failed" in outcome)
    return [{ type: "tool.failed", callId, error: { message: outcome.failed }, reason: outcome.reason }];
  const { output, bytes, durationMs } = outcome;
  const kept = Buffer.byteLength(output);
  return [{ type: "tool.completed", callId, output: { text: output, bytes, kept }, durationMs }];
}

function objectIn(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
