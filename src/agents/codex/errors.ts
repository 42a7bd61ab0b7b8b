/** Codex's failures as error codes, with what the person should do next. */
import { errorTable } from "../../events/errors.ts";
import type { ErrorCode, ErrorInfo } from "../../events/errors.ts";
import { errorInfoFor, usualHelp } from "../shared/error-info.ts";
import type { Ending } from "../shared/error-info.ts";
import { isRecord, number, record, text } from "../../drivers/stream-json/read.ts";
import { program } from "./program.ts";

export const signInHelp = "Run `codex login`, or set OPENAI_API_KEY.";

export const errorInfoOf = errorInfoFor(program.id, {
  ...usualHelp,
  not_installed: program.installHelp,
  not_authenticated: signInHelp,
  version_unsupported: program.updateHelp,
  quota_exhausted: "Wait for the reset, or use another agent.",
});

/** How a turn ended that failed. `resetsAt` is when a used-up window of the plan opens again, where that was told in this turn. */
export function endingOf(error: unknown, resetsAt: string | undefined): Ending {
  const { message } = failureOf(error);
  if (/reason: max_output_tokens/.test(message)) return { outcome: "max_tokens" };
  const info = errorOf(error, resetsAt);
  if (info.code === "refused") return { outcome: "refused", error: info };
  return { outcome: info.code === "budget_exceeded" ? "budget" : "failed", error: info };
}

/** A `TurnError`. */
export function errorOf(error: unknown, resetsAt?: string): ErrorInfo {
  const failure = failureOf(error);
  const code = codeOf(failure);
  const limited = code === "quota_exhausted" || code === "rate_limited";
  return errorInfoOf(code, failure.message || errorTable[code].meaning, { resetsAt: limited ? resetsAt : undefined });
}

interface Failure {
  /** Its own class: usageLimitExceeded, httpConnectionFailed, other, ... */
  readonly kind: string;
  readonly status: number | undefined;
  readonly message: string;
  /** The service's own code, where its whole answer was passed on. */
  readonly serviceCode: string | undefined;
}

/** With `other` the message may be the service's whole answer. */
function failureOf(error: unknown): Failure {
  const { message, codexErrorInfo: info } = record(error);
  const [kind, detail] = isRecord(info) ? (Object.entries(info)[0] ?? []) : [info, undefined];
  const said = text(message) ?? "";
  const body = record(record(parsed(said))["error"]);
  return {
    kind: text(kind) ?? "other",
    status: number(record(detail)["httpStatusCode"]) ?? statusIn(said),
    message: text(body["message"]) ?? said.replace(/, url: \S+$/, ""),
    serviceCode: text(body["code"]) ?? text(body["type"]),
  };
}

const byKind: Readonly<Record<string, ErrorCode>> = {
  contextWindowExceeded: "context_too_long",
  sessionBudgetExceeded: "budget_exceeded",
  usageLimitExceeded: "quota_exhausted",
  rateLimitExceeded: "rate_limited",
  flexUnavailable: "overloaded",
  serverOverloaded: "overloaded",
  policyCapacityUnavailable: "overloaded",
  internalServerError: "overloaded",
  modelNotFound: "model_unknown",
  cyberPolicy: "refused",
  misalignmentPolicyViolation: "refused",
  tooManyDenials: "permission_denied",
  unauthorized: "not_authenticated",
  badRequest: "invalid_input",
  activeTurnNotSteerable: "session_busy",
};

/** Of an `other`, or of one that names nothing better: in the order of how much they say. */
const bySaying: readonly (readonly [RegExp, ErrorCode])[] = [
  [/context_length_exceeded|context window/i, "context_too_long"],
  [/reason: content_filter/, "refused"],
  [/high demand|at capacity|overloaded/i, "overloaded"],
  [/insufficient_quota|quota exceeded|billing/i, "quota_exhausted"],
  [/Missing environment variable|not logged in|log in|sign in/i, "not_authenticated"],
  [/stream disconnected|error sending request|network|connection|timed? ?out/i, "network"],
  [/invalid_request/, "invalid_input"],
];

function codeOf({ kind, status, message, serviceCode }: Failure): ErrorCode {
  const known = byKind[kind];
  if (known !== undefined) return known;
  if (status !== undefined) return codeOfStatus(status);
  const said = bySaying.find(([pattern]) => pattern.test(`${serviceCode ?? ""} ${message}`));
  if (said !== undefined) return said[1];
  // It could not even ask.
  return /ConnectionFailed|Disconnected/.test(kind) ? "network" : "agent_crashed";
}

function codeOfStatus(status: number): ErrorCode {
  if (status === 401 || status === 403) return "not_authenticated";
  if (status === 402) return "quota_exhausted";
  if (status === 404) return "model_unknown";
  if (status === 413) return "context_too_long";
  if (status === 429) return "rate_limited";
  return status >= 500 ? "overloaded" : "invalid_input";
}

function statusIn(said: string): number | undefined {
  const found = /\bstatus:? (\d{3})\b/.exec(said)?.[1];
  return found === undefined ? undefined : Number(found);
}

function parsed(said: string): unknown {
  if (!said.startsWith("{")) return undefined;
  try {
    return JSON.parse(said);
  } catch {
    return undefined;
  }
}
