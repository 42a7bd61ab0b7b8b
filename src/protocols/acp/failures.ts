/** Failures that an agent reports. ACP has few error codes; most facts are in the text. */
import type { Outcome } from "../../events/types.ts";
import type { Ending as TurnEnding, FailureFacts } from "../failure.ts";
import type { RpcAnswer, RpcError } from "../json-rpc/index.ts";
import { firstText, isRecord, named, parseJson, record, text } from "../json.ts";
import type { AcpOptions } from "./types.ts";

/** Some agents use the HTTP status of the model's service as the error code. */
export function factsOf(error: RpcError, { quirks }: Pick<AcpOptions, "quirks">): FailureFacts {
  const { code, message, data } = error;
  const isStatus = code >= 400 && code < 600;
  return {
    kind: isStatus ? undefined : `rpc:${code}`,
    status: isStatus ? code : undefined,
    text: saidBy(error),
    body: `${message} ${data === undefined ? "" : JSON.stringify(data)}`,
    ...quirks.failure?.(error),
  };
}

/** Extracts the readable sentence from an error. The cause is often in `data` next to "Internal error", and some agents wrap it in JSON. */
export function saidBy({ message, data }: RpcError): string {
  const inner = record(parseJson(message));
  const { details, message: inData } = record(data);
  const said =
    firstText(record(inner["error"])["message"], inner["message"], data, details, inData) ??
    message.replace(/^Internal error:?\s*/i, "");
  const plain = (firstText(said) ?? message).replace(/^API Error:\s*/i, "").trim();
  return plain.split(/\n\s*\n/, 1)[0]!;
}

/** Lists the sign-in methods, in the agent's words. */
export function signInHelpOf(methods: readonly unknown[]): string | undefined {
  const ways = methods.filter(isRecord).map(({ name, description }) => text(description) ?? text(name));
  const known = ways.filter((way) => way !== undefined);
  return known.length === 0 ? undefined : `Sign in first: ${known.join("; or: ")}.`;
}

export interface Ending extends TurnEnding {
  /** A stop reason that Reins does not know. */
  readonly unknown?: string;
}

const outcomes: ReadonlyMap<unknown, Outcome> = new Map<unknown, Outcome>([
  ["end_turn", "done"],
  ["max_tokens", "max_tokens"],
  ["max_turn_requests", "max_turns"],
  ["cancelled", "cancelled"],
]);

/** `failure`: a failure that the agent reported only as text before it ended the turn normally. */
export function endingOf(
  answer: RpcAnswer,
  failure: FailureFacts | undefined,
  options: Pick<AcpOptions, "quirks" | "failures">,
): Ending {
  const { failures } = options;
  if ("error" in answer) return failures.ending(factsOf(answer.error, options));
  const { stopReason } = record(answer.result);
  if (stopReason === "refusal") {
    const said = failure === undefined ? undefined : failures.error(failure).message;
    return { outcome: "refused", error: failures.info("refused", said ?? "The model declined to answer.") };
  }
  const outcome = outcomes.get(stopReason);
  if (failure !== undefined && outcome !== "cancelled") return failures.ending(failure);
  if (outcome !== undefined) return { outcome };
  if (typeof stopReason === "string") return { outcome: "done", unknown: named(stopReason) };
  const message = "The agent ended the turn without a stop reason.";
  return { outcome: "failed", error: failures.info("protocol_error", message) };
}
