/** Failures that an agent reports. ACP has few codes of its own: most of it is in the text beside them. */
import type { ErrorInfo } from "../../events/errors.ts";
import type { Outcome } from "../../events/types.ts";
import type { Classifier, FailureFacts } from "../failure.ts";
import type { RpcAnswer, RpcError } from "../json-rpc/index.ts";
import { firstText, isRecord, named, parseJson, record, text } from "../json.ts";
import type { AcpQuirks } from "./options.ts";

export interface Speaker {
  readonly agent: string;
  readonly quirks: AcpQuirks;
  /** What its failures mean. */
  readonly failures: Classifier;
}

/** Some give the status of the model's service for a code. */
export function factsOf(error: RpcError, { quirks }: Pick<Speaker, "quirks">): FailureFacts {
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

/** The sentence in it: beside "Internal error" stands what it is about, and some wrap it in JSON. */
export function saidBy({ message, data }: RpcError): string {
  const inner = record(parseJson(message));
  const { details, message: inData } = record(data);
  const said =
    firstText(record(inner["error"])["message"], inner["message"], data, details, inData) ??
    message.replace(/^Internal error:?\s*/i, "");
  const plain = (firstText(said) ?? message).replace(/^API Error:\s*/i, "").trim();
  return plain.split(/\n\s*\n/, 1)[0]!;
}

/** How a person signs in, in the agent's own words. */
export function signInHelpOf(methods: readonly unknown[]): string | undefined {
  const ways = methods.filter(isRecord).map(({ name, description }) => text(description) ?? text(name));
  const known = ways.filter((way) => way !== undefined);
  return known.length === 0 ? undefined : `Sign in first: ${known.join("; or: ")}.`;
}

export interface Ending {
  readonly outcome: Outcome;
  readonly error?: ErrorInfo | undefined;
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
export function endingOf(answer: RpcAnswer, failure: FailureFacts | undefined, speaker: Speaker): Ending {
  const { failures } = speaker;
  if ("error" in answer) return failures.ending(factsOf(answer.error, speaker));
  const { stopReason } = record(answer.result);
  if (stopReason === "refusal") {
    const said = failure === undefined ? undefined : failures.error(failure).message;
    return { outcome: "refused", error: failures.info("refused", said ?? "The model declined to answer.") };
  }
  const outcome = outcomes.get(stopReason);
  if (failure !== undefined && outcome !== "cancelled") return failures.ending(failure);
  if (outcome !== undefined) return { outcome };
  if (typeof stopReason === "string") return { outcome: "done", unknown: named(stopReason) };
  const message = "The agent ended the turn and did not say why.";
  return { outcome: "failed", error: failures.info("protocol_error", message) };
}
