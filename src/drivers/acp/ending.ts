/** The answer to a prompt is the end of its turn. */
import type { ErrorInfo } from "../../events/errors.ts";
import type { Outcome } from "../../events/types.ts";
import type { RpcAnswer } from "../json-rpc/index.ts";
import { errorInfoOf, failureOf } from "./failures.ts";
import type { Speaker } from "./failures.ts";
import type { AcpFailure } from "./quirks.ts";
import { named, record } from "./read.ts";

export interface Ending {
  readonly outcome: Outcome;
  readonly error?: ErrorInfo;
  /** A reason nobody knows. */
  readonly unknown?: string;
}

const outcomes: ReadonlyMap<unknown, Outcome> = new Map<unknown, Outcome>([
  ["end_turn", "done"],
  ["max_tokens", "max_tokens"],
  ["max_turn_requests", "max_turns"],
  ["cancelled", "cancelled"],
]);

/** `failure`: one that was only said, by an agent that ends such a turn like any other. */
export function endingOf(answer: RpcAnswer, failure: AcpFailure | undefined, speaker: Speaker): Ending {
  if ("error" in answer) {
    const error = failureOf(answer.error, speaker);
    const outcome = speaker.quirks.failure?.(answer.error)?.outcome;
    if (outcome !== undefined) return outcome === "budget" ? { outcome, error } : { outcome };
    return error.code === "cancelled" ? { outcome: "cancelled" } : { outcome: "failed", error };
  }
  const { stopReason } = record(answer.result);
  if (stopReason === "refusal") {
    const message = failure?.message ?? "The model declined to answer.";
    return { outcome: "refused", error: errorInfoOf({ code: "refused", message }, speaker) };
  }
  const outcome = outcomes.get(stopReason);
  if (failure !== undefined && outcome !== "cancelled") {
    return { outcome: "failed", error: errorInfoOf(failure, speaker) };
  }
  if (outcome !== undefined) return { outcome };
  if (typeof stopReason === "string") return { outcome: "done", unknown: named(stopReason) };
  const message = "The agent ended the turn and did not say why.";
  return { outcome: "failed", error: errorInfoOf({ code: "protocol_error", message }, speaker) };
}
